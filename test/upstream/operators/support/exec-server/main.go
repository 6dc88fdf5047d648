// exec-server ADDRESS CERTIFICATE KEY WORD...: the part of a kubelet that an API server asks when somebody runs a command in a pod. There is
// one pod; WORD... are the words that lead into it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"time"

	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

const timeout = time.Minute

type pod struct{ prefix []string }

func (p pod) ExecInContainer(ctx context.Context, _, _, _ string, command []string, in io.Reader, out, stderr io.WriteCloser,
	_ bool, _ <-chan remotecommand.TerminalSize, _ time.Duration) error {
	words := append(append([]string{}, p.prefix...), command...)
	child := exec.CommandContext(ctx, words[0], words[1:]...)
	child.Stdin = in
	if out != nil {
		child.Stdout = out
	}
	if stderr != nil {
		child.Stderr = stderr
	}
	err := child.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return utilexec.CodeExitError{Err: err, Code: exit.ExitCode()}
	}
	return err
}

func main() {
	p := pod{os.Args[4:]}
	http.HandleFunc("/exec/{namespace}/{pod}/{container}", func(w http.ResponseWriter, r *http.Request) {
		options, err := remotecommand.NewOptions(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		protocols := []string{"v4.channel.k8s.io"}
		remotecommand.ServeExec(w, r, p, r.PathValue("pod"), "", r.PathValue("container"), r.URL.Query()["command"], options, timeout, timeout, protocols)
	})
	fmt.Fprintln(os.Stderr, http.ListenAndServeTLS(os.Args[1], os.Args[2], os.Args[3], nil))
	os.Exit(1)
}
