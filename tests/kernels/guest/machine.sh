#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What the guest runs for each check of machine.py: check_NAME.
# The traced shell expands these, and not this one.
# shellcheck disable=SC2016
# shellcheck source=tests/kernels/guest/helpers.sh
. /guest/helpers.sh

check_cpu_goes_and_comes_back() {
    cpu=/sys/devices/system/cpu/cpu1/online
    serve 24
    iot_started -e write,close -p "$server"
    for _ in 1 2 3; do
        printf 1234 >&3
        echo 0 > $cpu
        printf 1234 >&3
        cat /sys/devices/system/cpu/online
        echo 1 > $cpu
    done
    echo 0 > $cpu
    wait "$tracer"
    serve 24
    report=late.json
    iot_started -e write,close -p "$server"
    echo 1 > $cpu
    printf 123456781234567812345678 >&3
    wait "$tracer"
}

check_fork_bomb() {
    group=/sys/fs/cgroup/bomb
    echo +pids > /sys/fs/cgroup/cgroup.subtree_control
    mkdir $group
    echo 150 > $group/pids.max
    iot -e write,clone -- bomb $group/cgroup.procs 4000
}

check_ids_that_are_used_again() {
    before=$(cat /proc/sys/kernel/pid_max)
    echo 400 > /proc/sys/kernel/pid_max
    iot -e write,close,clone -- children fork 2000
    echo "$before" > /proc/sys/kernel/pid_max
}

check_preempted_task_storage() {
    mount -t debugfs none /sys/kernel/debug
    if ! [ -e /sys/kernel/debug/sched/preempt ]; then
        umount /sys/kernel/debug
        exit 0
    fi
    echo full > /sys/kernel/debug/sched/preempt
    cat /sys/kernel/debug/sched/preempt
    mkfifo ready
    busy_storage 0 > ready &
    read -r answer < ready
    echo "$answer"
    iot -e write,execve -- preempting 0 20
    kill $!
    umount /sys/kernel/debug
}

check_btrfs() {
    ifconfig lo up
    truncate -s 120M disk
    mkfs.btrfs -q disk > /dev/null
    mkdir mnt
    mount -t btrfs -o loop disk mnt
    echo $? > mounted
    [ "$(cat mounted)" = 0 ] || { rm disk; exit 0; }
    btrfs subvolume create mnt/one > /dev/null
    btrfs subvolume create mnt/other > /dev/null
    touch mnt/one/file mnt/other/file
    stat -c %i mnt/one/file mnt/other/file
    btrfs subvolume snapshot mnt/one mnt/copy > /dev/null
    selects subvolume mnt/other/file mnt/one/file
    selects snapshot mnt/copy/file mnt/one/file
    selects origin mnt/one/file mnt/copy/file
    iot -e write -- short_lived 50 mnt > /dev/null
    umount mnt
    rm disk
}

check_overlayfs() {
    ifconfig lo up
    mkdir lower upper mnt
    mount -t tmpfs none upper
    mkdir upper/files upper/work
    touch lower/one lower/other
    mount -t overlay -o lowerdir=lower,upperdir=upper/files,workdir=upper/work none mnt
    echo $? > mounted
    [ "$(cat mounted)" = 0 ] || { umount upper; exit 0; }
    selects copied mnt/one mnt/other
    selects comes mnt/new mnt/one
    iot -e write -- short_lived 50 mnt > /dev/null
    umount mnt upper
}

check_doctor() {
    iotrace doctor > ./doctor
}

check_locked_down() {
    echo confidentiality > /sys/kernel/security/lockdown || exit 0
    cat /sys/kernel/security/lockdown
    iot -e write,close -- threads 2 5
    echo $?
    report=pid.json
    serve 8
    iot_started -e write,close -p "$server"
    printf 12345678 >&3
    wait "$tracer"
    echo $?
    report=all.json
    iot --cpu -e all -- threads 8 50
    report=system.json
    iot_started -a --comm endl_loop -e write
    endl_loop -n 300 > /dev/null
    kill -TERM "$tracer"
    wait "$tracer"
    echo $?
    iotrace --backend=bpf -y -- true 2> refused
    echo $?
    iotrace doctor > ./doctor
    echo $?
}
