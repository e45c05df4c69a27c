// All knight's tours by plain recursion, counted: what the enumeration is measured against.
//
//     c++ -std=c++11 -O2 -o plain_recursion plain_recursion.cpp
//     ./plain_recursion 5 5 0 0           from one square: row and column, from 0
//     ./plain_recursion 5 5 all           from every square
//     ./plain_recursion 6 6 0 0 closed    only tours that a move brings back to their start
//
// It prints tours, squares placed and seconds of search, as JSON.  The order of moves is that of
// document 004; nothing is pruned.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr int kLongest = 16;  // side of a board
constexpr int kRowStep[8] = {2, 1, -1, -2, -2, -1, 1, 2};
constexpr int kColumnStep[8] = {1, 2, 2, 1, -1, -2, -2, -1};

struct Search {
    int rows, columns;
    bool closed;
    int start_row = 0, start_column = 0;
    long long tours = 0, placed = 0;
    bool visited[kLongest][kLongest] = {};

    Search(int rows, int columns, bool closed) : rows(rows), columns(columns), closed(closed) {}

    bool inside(int row, int column) const {
        return row >= 0 && row < rows && column >= 0 && column < columns;
    }

    bool ends_well(int row, int column) const {
        return !closed || std::abs((row - start_row) * (column - start_column)) == 2;
    }

    void visit(int row, int column, int step) {
        visited[row][column] = true;
        ++placed;
        if (step == rows * columns) {
            if (ends_well(row, column)) ++tours;
        } else {
            for (int move = 0; move < 8; ++move) {
                const int next_row = row + kRowStep[move];
                const int next_column = column + kColumnStep[move];
                if (inside(next_row, next_column) && !visited[next_row][next_column])
                    visit(next_row, next_column, step + 1);
            }
        }
        visited[row][column] = false;
    }

    void from(int row, int column) {
        start_row = row;
        start_column = column;
        visit(row, column, 1);
    }
};

int usage() {
    std::fputs("plain_recursion ROWS COLUMNS (START_ROW START_COLUMN | all) [closed]\n", stderr);
    return 2;
}

}  // namespace

int main(int count, char** words) {
    if (count < 4) return usage();
    const bool all = words[3] == std::string("all");
    const int given = all ? 4 : 5;  // words before "closed"
    const bool closed = count == given + 1 && words[given] == std::string("closed");
    if (count != given + closed) return usage();
    Search search(std::atoi(words[1]), std::atoi(words[2]), closed);
    if (search.rows < 1 || search.rows > kLongest) return usage();
    if (search.columns < 1 || search.columns > kLongest) return usage();
    const int row = all ? 0 : std::atoi(words[3]), column = all ? 0 : std::atoi(words[4]);
    if (!search.inside(row, column)) return usage();

    const auto began = std::chrono::steady_clock::now();
    if (all) {
        for (int r = 0; r < search.rows; ++r)
            for (int c = 0; c < search.columns; ++c) search.from(r, c);
    } else {
        search.from(row, column);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    std::printf("{\"status\": \"FOUND\", \"tours\": %lld, \"placed\": %lld, \"seconds\": %.6f}\n",
                search.tours, search.placed, took.count());
    return 0;
}
