// SPDX-License-Identifier: GPL-2.0
// Packs the blocks of a disk image, which two workers read and compress in turns.
package main

import (
	"bytes"
	"compress/flate"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

const block = 32768

func main() {
	image, err := os.Open("disk.img")
	if err != nil {
		panic(err)
	}
	info, _ := image.Stat()
	packed := make([][]byte, info.Size()/block)
	var next atomic.Int64
	var workers sync.WaitGroup
	for w := 0; w < 2; w++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			data := make([]byte, block)
			for {
				i := next.Add(1) - 1
				if i >= int64(len(packed)) {
					return
				}
				image.ReadAt(data, i*block)
				var out bytes.Buffer
				deflate, _ := flate.NewWriter(&out, 6)
				deflate.Write(data)
				deflate.Close()
				packed[i] = out.Bytes()
			}
		}()
	}
	workers.Wait()
	out, _ := os.Create("disk.packed")
	total := 0
	for _, data := range packed {
		n, _ := out.Write(data)
		total += n
	}
	out.Close()
	fmt.Println(len(packed), "blocks,", total, "bytes")
}
