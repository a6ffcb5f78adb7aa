// SPDX-License-Identifier: GPL-2.0
// What most tests include, compiled once. None of them relies on it: each includes what it uses.
#pragma once

#include "lib/catch.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>
