"""Examples that several tests share: certificates, tours, graphs, formulas, known counts."""
