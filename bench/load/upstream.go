package main

import (
	"bytes"
	"crypto/tls"
	"flag"
	"io"
	"log"
	"net/http"
	"strconv"
)

// chunk is what one write of a stream holds: as much as a full TLS record.
const chunk = 16 << 10

// upstream serves GET /readyz, and GET /bytes/{count}: a response of that many bytes.
func upstream(args []string) error {
	flags := flag.NewFlagSet("upstream", flag.ExitOnError)
	listen := flags.String("listen", "", "address to listen on")
	cert := flags.String("cert", "", "certificate")
	key := flags.String("key", "", "key of the certificate")
	flags.Parse(args)

	mux := http.NewServeMux()
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok") })
	mux.HandleFunc("GET /bytes/{count}", serveBytes)
	server := http.Server{
		Addr:    *listen,
		Handler: mux,
		// Every handshake is a full one.
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12, SessionTicketsDisabled: true, NextProtos: []string{"http/1.1"}},
		// HTTP/1.1 alone.
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
		// Health checks end connections early.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	return server.ListenAndServeTLS(*cert, *key)
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
