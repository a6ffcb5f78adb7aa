#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What the guest runs for each check of checks.py: check_NAME.
# The traced shell expands these, and not this one.
# shellcheck disable=SC2016
# shellcheck source=tests/kernels/guest/helpers.sh
. /guest/helpers.sh

check_ledger_of_one_thread() {
    iot -- endl_loop -n 10000 --ledger -o lines
    grep -c 123 lines
    rm lines
}

check_ledger_of_eight_threads() {
    iot -- logger_reopen -n 200 --threads 8 --ledger -o log
    report=idle.json
    iot -- logger_reopen -n 0 --threads 8 --ledger -o none 2> /dev/null
    rm -f log* none*
}

check_threads() {
    iot -e write,close -- threads 64 50
}

check_children() {
    for how in fork vfork clone3 together chain orphans; do
        report=$how.json
        iot -e write,close,execve -- children $how 100
    done
}

check_fork_is_one_call() {
    iot -e clone,wait4,execve -- children spawn 50 /bin/tiny
    report=fork.json
    iot -e clone,wait4 -- children fork 50
}

check_errnos() {
    iot -e write,openat -- transfers errors /tmp/transfers
}

check_sizes() {
    iot -e write -- transfers sizes /tmp/transfers
}

check_bytes_of_every_call() {
    iot -e %io,sendto,recvfrom,sendmsg,recvmsg -- transfers calls /tmp/transfers
}

check_no_latency() {
    iot --no-latency --no-files -e write,close -- threads 8 300
    report=all.json
    iot --no-latency --no-files -e all -- threads 8 300
}

check_files() {
    ifconfig lo up
    mkdir made
    iot -e write -- sh -c 'short_lived 50 made > port; echo 1 > old; mv old new'
}

check_nagle() {
    ifconfig lo up
    report=apart.json
    iot -e %findings -- kernel_habits ask bad 40 -
    report=together.json
    iot -e %findings -- kernel_habits ask good 40 -
}

check_many_files() {
    mkdir made
    iot --max-files=1000 -e openat,lseek,pwrite64,close -- many_files made 900
    dmesg > log
}

check_groups() {
    for key in comm process thread user,comm cgroup,process; do
        report=$(echo $key | tr , -).json
        iot --by=$key -e write,close -- sh -c 'threads 8 200; for i in 1 2 3; do endl_loop -n 100 >lines; done'
    done
}

check_waits() {
    iot --cpu -e all -- sh -c 'waits slow-reader 20 > pipe; waits nanosleep 20 > sleep; waits crowd 1 > crowd'
}

check_calls_answered_by_seccomp() {
    iot -e getppid,getpid -- seccomp
}

check_both_abis() {
    iot -e getppid,close -- mixed_abi
    report=threads.json
    iot -e write,close -- sh -c 'threads32 8 50; exit 5'
}

check_tasks_that_die_in_a_call() {
    iot -e read -- die_in_call exit
    report=kill.json
    iot -e read -- die_in_call kill
}

check_shell_with_forks() {
    command='for i in 1 2 3 4 5 6 7 8; do (echo $i; exit $i); ls / > list; done; nosuchcommand; exit 3'
    strace -f -c -U calls,errors,name -o strace sh -c "$command"
    iot -e trace=all -- sh -c "$command"
}

check_applets() {
    mkdir tree
    for i in 1 2 3 4 5 6 7 8 9; do echo $i > tree/$i; done
    command='ls -lR /bin tree >list; find /checks -name out >found; tar cf ../t.tar tree; grep -r 7 tree; cat missing'
    touch list found ../t.tar
    strace -f -c -U calls,errors,name -o strace sh -c "$command"
    iot -e trace=all -- sh -c "$command"
}

check_signal_handlers() {
    strace -f -c -U calls,errors,name -o strace signals
    iot -e trace=all -- signals
}

check_end_of_the_command() {
    iot -- sh -c 'exit 7'
    echo $?
    iot -- sh -c 'kill -TERM $$'
    echo $?
    iot -- nosuchcommand
    echo $?
    iot_started -e pause -- pause
    until grep -q '^34 ' /proc/[0-9]*/syscall; do :; done
    kill -HUP "$tracer"
    wait "$tracer"
    echo $?
}

check_running_process() {
    serve 8
    iot_started -e write,close,read,openat -p "$server"
    printf 12345678 >&3
    wait "$tracer"
}

check_running_process_interrupted() {
    serve 8
    iot_started -e write,close,read,futex -p "$server"
    kill -TERM "$tracer"
    wait "$tracer"
    echo $?
    printf 12345678 >&3
    wait "$server"
    echo $?
}

check_whole_system() {
    iot_started -a --comm endl_loop -e write
    endl_loop -n 3000 > /dev/null
    fd_write_loop -n 100 > /dev/null
    endl_loop -n 2000 > /dev/null
    kill -TERM "$tracer"
    wait "$tracer"
}

check_one_cgroup() {
    group=/sys/fs/cgroup/some
    mkdir $group $group/below
    iot_started --cgroup some -e write
    endl_loop -n 1000 > /dev/null
    sh -c "echo \$\$ > $group/below/cgroup.procs; exec threads 8 200"
    kill -TERM "$tracer"
    wait "$tracer"
}

check_intervals() {
    iot --interval 0.05 -e write,close -- threads 8 4000 2> intervals
}

check_two_capabilities_are_enough() {
    as_nobody --inh-caps -all,+bpf,+perfmon --ambient-caps +bpf,+perfmon \
        iotrace --backend=bpf -o report.json -e write,close -- threads 8 50
}

check_privileged_programs_are_not_seen() {
    cp /bin/endl_loop secret
    chmod 4755 secret
    as_nobody --inh-caps -all,+bpf,+perfmon --ambient-caps +bpf,+perfmon \
        iotrace -q --backend=bpf -o report.json -e write -- sh -c '
            run() { n=0; while [ $n -lt 60 ]; do ./secret -n 5; n=$((n + 1)); done; }
            for i in 1 2 3 4 5 6 7 8; do run & done
            wait' > /dev/null
}

check_message_for_users() {
    fails as_nobody
}

check_message_without_btf() {
    mount -t tmpfs none /sys/kernel/btf
    fails
    umount /sys/kernel/btf
}
