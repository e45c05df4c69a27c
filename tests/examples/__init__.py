"""Examples that several tests share: certificates, tours, graphs, formulas and known counts."""
