/**
 * The form for the token of the service.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

interface TokenFieldProps {
  /** Why a token is required. */
  readonly message: string;
  readonly onToken: (token: string) => void;
}

/** A field for the token, which the caller stores. */
export function TokenField({ message, onToken }: TokenFieldProps): JSX.Element {
  const [token, setToken] = useState('');
  const onSubmit = (): void => {
    if (token !== '') onToken(token);
  };
  return (
    <section class="card" aria-labelledby="token">
      <h2 id="token">Token required</h2>
      <p role="alert">{message} It is stored until you close this tab.</p>
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
