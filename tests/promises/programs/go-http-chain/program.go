// SPDX-License-Identifier: GPL-2.0
// A Go client asks an HTTP server over TCP 250 times for a proof of work on the last answer; each
// answer takes a millisecond of hashing, the connection is kept alive

package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sum := sha256.Sum256(body)
		for i := 0; i < 20000; i++ {
			sum = sha256.Sum256(sum[:])
		}
		fmt.Fprintf(w, "%x", sum)
	}))
	url := "http://" + l.Addr().String() + "/"
	data := []byte("start")
	for i := 0; i < 250; i++ {
		answer, err := http.Post(url, "text/plain", bytes.NewReader(data))
		if err != nil {
			panic(err)
		}
		data, _ = io.ReadAll(answer.Body)
		answer.Body.Close()
	}
	fmt.Println(string(data))
}
