#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Formatting, static analysis and scripts. Environment: CLANG_FORMAT.
set -u

status=0
sources=$(git ls-files 'src/*.c' 'src/*.h' 'bpf/*.c' 'bpf/*.h' 'workloads/*' 'tests/*.cpp' 'tests/*.hpp' 'tests/*.c')
# shellcheck disable=SC2086
"${CLANG_FORMAT:-clang-format}" --dry-run -Werror $sources || status=1
# shellcheck disable=SC2046
shellcheck .ci/run $(git ls-files '*.sh') || status=1
# The probes and the generated skeleton are the kernel's verifier's to judge.
# shellcheck disable=SC2046
cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
    --suppress=missingIncludeSystem -D_GNU_SOURCE -DIOTRACE_VERSION='""' $(git ls-files 'src/*.c') || status=1
exit $status
