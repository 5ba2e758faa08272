// A Go program that signs its user in. Ctrl+C cancels the login. The arguments are those of tokentry login.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// Token has the members of Tokentry's answer that most programs need.
type Token struct {
	AccessToken string    `json:"access_token"`
	ExpiresAt   time.Time `json:"expires_at"`
}

// Failure says why there is no token.
type Failure struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`
	Origin      string `json:"origin"`
	Retryable   bool   `json:"retryable"`
}

func (failure *Failure) Error() string { return failure.Description }

// Login waits for the user. Cancelling the context cancels the login and closes its window.
func Login(ctx context.Context, arguments ...string) (*Token, error) {
	command := exec.Command("tokentry", append([]string{"login"}, arguments...)...)
	command.Stderr = os.Stderr
	pipe, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-ctx.Done():
			command.Process.Signal(syscall.SIGTERM)
		case <-done:
		}
	}()
	var answer json.RawMessage
	decodeError := json.NewDecoder(pipe).Decode(&answer)
	waitError := command.Wait()
	if decodeError != nil {
		return nil, fmt.Errorf("tokentry was ended before it could answer: %w", decodeError)
	}
	if waitError != nil {
		failure := new(Failure)
		if err := json.Unmarshal(answer, failure); err != nil {
			return nil, err
		}
		return nil, failure
	}
	token := new(Token)
	return token, json.Unmarshal(answer, token)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	token, err := Login(ctx, os.Args[1:]...)
	var failure *Failure
	switch {
	case err == nil:
		fmt.Println("signed in until", token.ExpiresAt.Format(time.RFC3339))
		return
	case errors.As(err, &failure) && failure.Code == "cancelled":
		fmt.Fprintln(os.Stderr, "cancelled")
	default:
		fmt.Fprintln(os.Stderr, "not signed in:", err)
	}
	os.Exit(1)
}
