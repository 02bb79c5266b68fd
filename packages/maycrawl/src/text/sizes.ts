// Sizes in text.

/** Formats a number of bytes in decimal units: `0.1 kB`, `1.5 MB`, `2.0 GB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
