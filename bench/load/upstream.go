package main

import (
	"bytes"
	"crypto/tls"
	"flag"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"sync/atomic"
	"syscall"
)

// chunk is what one write of a stream holds: as much as a full TLS record.
const chunk = 16 << 10

// upstream serves GET /readyz, and GET /bytes/{count}: a response of that many bytes.
//
// It gives out session tickets, as kube-apiserver does. Between SIGUSR1 and SIGUSR2 it gives none and takes none, so that
// every handshake is a full one.
func upstream(args []string) error {
	flags := flag.NewFlagSet("upstream", flag.ExitOnError)
	listen := flags.String("listen", "", "address to listen on")
	cert := flags.String("cert", "", "certificate")
	key := flags.String("key", "", "key of the certificate")
	flags.Parse(args)

	mux := http.NewServeMux()
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok") })
	mux.HandleFunc("GET /bytes/{count}", serveBytes)
	pair, err := tls.LoadX509KeyPair(*cert, *key)
	if err != nil {
		return err
	}
	full := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
	resumable := full.Clone()
	full.SessionTicketsDisabled = true
	var current atomic.Pointer[tls.Config]
	current.Store(resumable)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1, syscall.SIGUSR2)
	go func() {
		for received := range signals {
			if received == syscall.SIGUSR1 {
				current.Store(full)
			} else {
				current.Store(resumable)
			}
		}
	}()

	server := http.Server{
		Addr:    *listen,
		Handler: mux,
		TLSConfig: &tls.Config{
			Certificates:       full.Certificates,
			GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return current.Load(), nil },
		},
		// HTTP/1.1 alone.
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
		// Health checks end connections early.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	return server.ListenAndServeTLS("", "")
}

var filler = bytes.Repeat([]byte("x"), 4*chunk)

func serveBytes(w http.ResponseWriter, request *http.Request) {
	count, err := strconv.Atoi(request.PathValue("count"))
	if err != nil {
		http.Error(w, "the count is not a number", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(count))
	for count > 0 {
		size := min(count, len(filler))
		if _, err := w.Write(filler[:size]); err != nil {
			return
		}
		count -= size
	}
}
