// The form for the token of the service.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { TextField } from './text-field.tsx';

interface TokenFieldProps {
  /** Why a token is required. */
  readonly message: string;
  readonly onToken: (token: string) => void;
}

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
        <TextField
          isInRow
          label="Token"
          type="password"
          autoComplete="off"
          value={token}
          onValue={setToken}
          onEnter={onSubmit}
        />
        <button type="button" class="primary" onClick={onSubmit}>
          Use token
        </button>
      </div>
    </section>
  );
}
