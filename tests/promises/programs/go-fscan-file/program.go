// SPDX-License-Identifier: GPL-2.0
// Go reads numbers with fmt.Fscan straight from the file, which takes a read for each byte; mended,
// through a bufio.Reader

package main

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
)

func main() {
	f, err := os.Open("numbers.txt")
	if err != nil {
		panic(err)
	}
	defer f.Close()
	var r io.Reader = f
	if os.Args[1] == "good" {
		r = bufio.NewReader(f)
	}
	sum, n := [32]byte{}, 0
	for {
		var v int
		if _, err := fmt.Fscan(r, &v); err != nil {
			break
		}
		sum[0] ^= byte(v)
		for i := 0; i < 25; i++ {
			sum = sha256.Sum256(sum[:])
		}
		n++
	}
	fmt.Printf("%d %x\n", n, sum[:8])
}
