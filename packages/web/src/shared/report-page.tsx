// The start of a page that is the HTML file of a report: it reads the data in the file, and then shows them.
import { type ReportData, readReportData } from 'maycrawl/api';
import { type JSX, render } from 'preact';

/** Shows a report, or why the file cannot be shown. @param createApp - from the data of the file. */
export async function showReport<Sections>(
  createApp: (data: ReportData<Sections>) => JSX.Element,
): Promise<void> {
  const root = document.getElementById('page');
  const element = document.getElementById('data');
  if (root === null || element === null) return;
  const fail = (text: string): void => render(<p role="alert">{text}</p>, root);
  if (!('DecompressionStream' in globalThis))
    return fail(
      'This browser is too old for the report. Use Chrome, Edge, Firefox or Safari of 2023 or later.',
    );
  let data: ReportData<Sections>;
  try {
    data = await readReportData<Sections>(element.textContent ?? '');
  } catch (error) {
    return fail(`The report cannot be read, because the file is damaged or not complete: ${error}`);
  }
  element.remove();
  render(createApp(data), root);
}
