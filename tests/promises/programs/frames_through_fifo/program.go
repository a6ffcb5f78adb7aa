// SPDX-License-Identifier: GPL-2.0
// Reads frames of a length and a body from a fifo: part by part ("bad") or buffered ("good").

package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"os"
)

const frames = 180000

func produce() error {
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	body := make([]byte, 256)
	state := uint32(7)
	for i := 0; i < frames; i++ {
		state = state*1664525 + 1013904223
		size := 24 + state>>26
		for j := range body[:size] {
			body[j] = byte(state>>8) + byte(j)
		}
		binary.Write(out, binary.BigEndian, uint16(size))
		out.Write(body[:size])
	}
	return out.Flush()
}

func consume(in io.Reader) (sum uint32, err error) {
	head, body := make([]byte, 2), make([]byte, 256)
	for {
		if _, err = io.ReadFull(in, head); err == io.EOF {
			return sum, nil
		} else if err != nil {
			return
		}
		size := binary.BigEndian.Uint16(head)
		if _, err = io.ReadFull(in, body[:size]); err != nil {
			return
		}
		digest := sha256.Sum256(body[:size])
		sum ^= binary.BigEndian.Uint32(digest[:])
	}
}

func main() {
	var sum uint32
	var err error
	switch os.Args[1] {
	case "produce":
		err = produce()
	case "bad":
		sum, err = consume(os.Stdin)
	default:
		sum, err = consume(bufio.NewReaderSize(os.Stdin, 1<<16))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if os.Args[1] != "produce" {
		fmt.Println(sum)
	}
}
