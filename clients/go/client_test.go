package maycrawl

// MAYCRAWL_SERVICE is the address of a service, MAYCRAWL_SITE an origin whose robots.txt disallows /b.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

var service, site = os.Getenv("MAYCRAWL_SERVICE"), os.Getenv("MAYCRAWL_SITE")

func TestMain(m *testing.M) {
	if service == "" || site == "" {
		fmt.Fprintln(os.Stderr, "set MAYCRAWL_SERVICE and MAYCRAWL_SITE")
		os.Exit(2)
	}
	os.Exit(m.Run())
}

func list(urls ...string) func() (string, error) {
	return func() (string, error) {
		if len(urls) == 0 {
			return "", io.EOF
		}
		first := urls[0]
		urls = urls[1:]
		return first, nil
	}
}

func ignore(Answer) error { return nil }

func TestOneURL(t *testing.T) {
	client := Client{Service: service}
	answer, err := client.Decide(context.Background(), site+"/b", "Googlebot")
	if err != nil || answer.IsAllowed() || answer.Line != 2 || *answer.Rule != "/b" || answer.IsTemporary() {
		t.Fatal(answer, err)
	}
	answer, err = client.Decide(context.Background(), site+"/a?x=ä&y=1", "Googlebot")
	if err != nil || !answer.IsAllowed() || answer.ExpiresAt == nil {
		t.Fatal(answer, err)
	}
}

func TestManyURLs(t *testing.T) {
	client, verdicts := Client{Service: service}, ""
	err := client.DecideMany(context.Background(), list(site+"/a", "none", site+"/b"), "Googlebot", func(answer Answer) error {
		verdicts += fmt.Sprint(answer.Allowed != nil, answer.IsAllowed(), " ")
		return nil
	})
	if err != nil || verdicts != "true true false false true false " {
		t.Fatal(verdicts, err)
	}
	if err := client.DecideMany(context.Background(), list(), "Googlebot", ignore); err != nil {
		t.Fatal(err)
	}
}

func TestAnEndlessListIsReadOnlyAsFarAsAnswersAreTaken(t *testing.T) {
	read, taken, enough := 0, 0, errors.New("enough")
	next := func() (string, error) {
		read++
		return fmt.Sprint(site, "/a", read), nil
	}
	client := Client{Service: service}
	err := client.DecideMany(context.Background(), next, "Googlebot", func(Answer) error {
		if taken++; taken == 5000 {
			return enough
		}
		return nil
	})
	if err != enough || read > taken+maxPending+2 {
		t.Fatal(err, read)
	}
}

func TestAnErrorOfTheListIsReturned(t *testing.T) {
	broken := errors.New("broken")
	client := Client{Service: service}
	if err := client.DecideMany(context.Background(), func() (string, error) { return "", broken }, "x", ignore); err != broken {
		t.Fatal(err)
	}
}

func TestAnInvalidAgent(t *testing.T) {
	client, failure := Client{Service: service}, (*ServiceError)(nil)
	_, err := client.Decide(context.Background(), site+"/a", "ä")
	if !errors.As(err, &failure) || failure.Status != 400 || failure.Code != "invalid-agent" {
		t.Fatal(err)
	}
}

func TestAnUnreachableSiteIsATemporaryRefusal(t *testing.T) {
	down := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, _ *http.Request) { writer.WriteHeader(503) }))
	defer down.Close()
	client := Client{Service: service}
	if answer, err := client.Decide(context.Background(), down.URL+"/a", "x"); err != nil || answer.IsAllowed() || !answer.IsTemporary() {
		t.Fatal(answer, err)
	}
}

// script starts a server that refuses the first requests, and then sends the body.
func script(t *testing.T, refusals int, retryAfter, body string) (*Client, *int) {
	count := 0
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, _ *http.Request) {
		if count++; count <= refusals {
			writer.Header().Set("Retry-After", retryAfter)
			writer.WriteHeader(429 + 74*(count%2))
			return
		}
		io.WriteString(writer, body)
	}))
	t.Cleanup(server.Close)
	return &Client{Service: server.URL}, &count
}

func TestRetriesAreBounded(t *testing.T) {
	for _, each := range []struct {
		refusals   int
		retryAfter string
		count      int
		isAllowed  bool
	}{{2, "0", 3, true}, {9, "0", 4, false}, {1, "3600", 1, false}, {1, "99999999999999", 1, false}} {
		client, count := script(t, each.refusals, each.retryAfter, `{"url":"u","allowed":true}`)
		answer, err := client.Decide(context.Background(), "u", "x")
		if *count != each.count || answer.IsAllowed() != each.isAllowed || (err == nil) != each.isAllowed {
			t.Error(each, *count, answer, err)
		}
	}
}

func TestAResponseWithoutAVerdictIsAnError(t *testing.T) {
	bodies := []string{"", "{", "[]", "{}", strings.Repeat("[", 100_000), `{"url":"u","allowed":1}`, `{"url":"u","Allowed":true}`,
		`{"url":"other","allowed":true}`, `{"allowed":true}`, strings.Repeat(" ", maxLine+1)}
	for _, body := range bodies {
		client, _ := script(t, 0, "", body)
		if answer, err := client.Decide(context.Background(), "u", "x"); err == nil || answer.IsAllowed() {
			t.Errorf("%.20s: %v", body, answer)
		}
		if err := client.DecideMany(context.Background(), list("u"), "x", ignore); err == nil {
			t.Errorf("%.20s", body)
		}
	}
	client, _ := script(t, 0, "", "{\"url\":\"u\",\"allowed\":true}\n{\"url\":\"u\",\"allowed\":true}\n")
	if err := client.DecideMany(context.Background(), list("u"), "x", ignore); err == nil {
		t.Error("more lines than the request")
	}
}

func TestInvalidServices(t *testing.T) {
	for _, address := range []string{"", "host", "ftp://h/", "http://", ":"} {
		client := Client{Service: address}
		if _, err := client.Decide(context.Background(), "u", "x"); err == nil {
			t.Error(address)
		}
	}
}
