export const AGENT: string;
export const PATHS: readonly string[];
export function getFile(template: string): string;
export function getSiteKind(site: number, count: number): string;
export function getHost(site: number, port: number): string;
