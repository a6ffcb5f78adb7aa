// SPDX-License-Identifier: GPL-2.0
// Packs the many small files of a container's layer into an archive.
package main

import (
	"archive/tar"
	"bufio"
	"fmt"
	"io"
	"os"
	"time"
)

func main() {
	layer, err := os.Create("layer.tar")
	if err != nil {
		panic(err)
	}
	var out io.Writer = layer
	buffer := bufio.NewWriterSize(layer, 65536)
	if os.Args[1] == "good" {
		out = buffer
	}
	archive := tar.NewWriter(out)
	when := time.Unix(1700000000, 0)
	for i := 0; i < 50000; i++ {
		text := fmt.Sprintf("Package: lib%d\nVersion: 1.%d\n", i, i%10)
		archive.WriteHeader(&tar.Header{Name: fmt.Sprintf("var/lib/info/%d.list", i),
			Mode: 0644, Size: int64(len(text)), ModTime: when})
		io.WriteString(archive, text)
	}
	archive.Close()
	buffer.Flush()
	layer.Close()
	fmt.Println("packed")
}
