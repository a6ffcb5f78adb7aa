// SPDX-License-Identifier: GPL-2.0

// An HTTP server for a counter, and a client in a process of its own.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
)

func ask(address string) error {
	value := 1
	for i := 0; i < 4000; i++ {
		answer, err := http.Get(fmt.Sprintf("http://%s/next?value=%d", address, value))
		if err != nil {
			return err
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil {
			return err
		}
		if value, err = strconv.Atoi(string(body)); err != nil {
			return err
		}
	}
	return os.WriteFile("value", []byte(strconv.Itoa(value)), 0o644)
}

func main() {
	if len(os.Args) > 1 {
		if err := ask(os.Args[1]); err != nil {
			os.Exit(1)
		}
		return
	}
	file, err := os.Create("requests.log")
	if err != nil {
		os.Exit(1)
	}
	logger := log.New(file, "", 0)
	http.HandleFunc("/next", func(w http.ResponseWriter, r *http.Request) {
		value, _ := strconv.Atoi(r.FormValue("value"))
		logger.Printf("%s %s", r.Method, r.URL)
		fmt.Fprint(w, (value*48271)%2147483647)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(1)
	}
	go http.Serve(listener, nil)
	if exec.Command("/proc/self/exe", listener.Addr().String()).Run() != nil {
		os.Exit(1)
	}
}
