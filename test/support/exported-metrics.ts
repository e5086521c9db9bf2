/** Every metric of an export and its type, as Prometheus reads them. */
export function exportedMetrics(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));
}
