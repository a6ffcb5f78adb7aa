#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Checks formatting, analyses the sources, and checks scripts. Environment: BUILD (default build), CLANG, CLANG_FORMAT, MAKE.
set -u

export PYTHONDONTWRITEBYTECODE=1

status=0
sources=$(git ls-files 'src/*.c' 'src/*.h' 'bpf/*.c' 'bpf/*.h' 'workloads/*.c' 'workloads/*.h' 'workloads/*.cpp' 'tests/*.cpp' 'tests/*.hpp' 'tests/*.c')
# shellcheck disable=SC2086
"${CLANG_FORMAT:-clang-format}" --dry-run -Werror $sources || status=1
# Tabs are 8 columns wide. A message stands on one line, so that it can be searched for: a line that holds a string may be longer.
# shellcheck disable=SC2086
for file in $sources; do
    expand -t8 "$file" | awk -v file="$file" 'length($0) > 100 && !/"/ { print file ":" NR ": over 100 columns"; bad = 1 }
        END { exit bad }' >&2 || status=1
done
# shellcheck disable=SC2046
shellcheck .ci/run .githooks/* $(git ls-files '*.sh') || status=1
# The kernel's verifier checks the probes and the generated skeleton.
# shellcheck disable=SC2046
cppcheck --quiet --std=c11 -I src -I . --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
    --suppress=missingIncludeSystem -D_GNU_SOURCE -DIOTRACE_VERSION='""' $(git ls-files 'src/*.c') || status=1
# 0 and -1 are more than anybody means to signal.
if git grep -nE '(^|[^_a-z.])kill\(' -- 'src/*.c' 'tests/*.[ch]pp' 'tests/*.c' |
    grep -vE 'kill\(getpid\(\)|^(src/base/proc\.c|tests/lib/signal_process\.hpp|tests/fixtures/e2e/restarts\.c):|:[0-9]+:(//| \*)'; then
    echo "lint: kill() takes a pid that is checked to be > 0: proc_signal(), signal_process() or signal_group()" >&2
    status=1
fi
# Each header of the probes includes what it uses, and nothing above its folder.
tests/tools/probes.py || status=1
for header in $(git ls-files 'bpf/*.bpf.h'); do
    "${CLANG:-clang}" -fsyntax-only -target bpf -D__TARGET_ARCH_x86 -Wall -Wextra -Werror -Wno-unused-parameter -Wno-unused-function \
        -Wno-missing-declarations -Ibpf -iquote bpf -include "$header" -x c /dev/null || status=1
done
# The folders of src/ are the stages of a pipeline. The objects tell which file uses which.
"${MAKE:-make}" --no-print-directory -j"$(nproc)" objects && tests/tools/rooms.py "${BUILD:-build}/obj" || status=1
# A case is found by its name.
tests/tools/cases.py || status=1
# Links lead somewhere, and each table stands once.
tests/tools/pages.py || status=1
# A new format, finding, backend, subcommand or option is one row.
tests/tools/rows.py || status=1
exit $status
