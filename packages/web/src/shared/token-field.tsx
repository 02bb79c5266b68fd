/**
 * The form for the token of the service.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

/** A field for the token, which the caller stores. */
export function TokenField({ onToken }: { readonly onToken: (token: string) => void }): JSX.Element {
  const [token, setToken] = useState('');
  const onSubmit = (): void => {
    if (token !== '') onToken(token);
  };
  return (
    <section class="card" aria-labelledby="token">
      <h2 id="token">Token required</h2>
      <p>The service requires a token. It is stored until you close this tab.</p>
      <div class="bar">
        <label class="add">
          <span class="unseen">Token</span>
          <input
            type="password"
            autoComplete="off"
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
            onKeyDown={({ key }) => key === 'Enter' && onSubmit()}
          />
        </label>
        <button type="button" class="primary" onClick={onSubmit}>
          Use token
        </button>
      </div>
    </section>
  );
}
