// Opening and downloading files, and copying text to the clipboard.
import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';

interface FileButtonProps {
  readonly children: ComponentChildren;
  /** As the attribute `accept` of an input. */
  readonly accept: string;
  readonly onFile: (file: File) => void;
}

export function FileButton({ children, accept, onFile }: FileButtonProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" onClick={() => input.current?.click()}>
        {children}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // The same file can be chosen again after it has changed.
          currentTarget.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
    </>
  );
}

export function download(name: string, content: string | Uint8Array): void {
  const url = URL.createObjectURL(new Blob([content as BlobPart], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Copies text. @returns `false` if the browser does not allow it: over plain http, or without permission. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
