// Workflow commands of GitHub Actions, which become annotations.
import { visible } from '../../text/printable.ts';

/** Formats an annotation, with its line end. */
export function formatAnnotation(
  level: 'error' | 'warning' | 'notice',
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${level} ${list.join(',')}::${escapeMessage(message)}\n`;
}

function escapeMessage(text: string): string {
  return visible(text).replaceAll('%', '%25');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
