// SPDX-License-Identifier: GPL-2.0
// Adds up trades, which are records of 24 bytes.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
)

type trade struct {
	Time   uint64
	Paper  uint32
	Amount uint32
	Price  uint64
}

func main() {
	file, err := os.Open("trades.bin")
	if err != nil {
		panic(err)
	}
	defer file.Close()
	var in io.Reader = file
	if os.Args[1] == "good" {
		in = bufio.NewReader(file)
	}
	turnover := make([]uint64, 50)
	for {
		var t trade
		err := binary.Read(in, binary.LittleEndian, &t)
		if err == io.EOF {
			break
		}
		if err != nil {
			panic(err)
		}
		turnover[t.Paper%50] += uint64(t.Amount) * t.Price
	}
	out, err := os.Create("turnover.txt")
	if err != nil {
		panic(err)
	}
	w := bufio.NewWriter(out)
	for paper, sum := range turnover {
		fmt.Fprintln(w, paper, sum)
	}
	w.Flush()
	out.Close()
}
