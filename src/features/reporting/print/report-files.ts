import { join } from 'node:path';

/** Where the files of reports printed in the background are kept. */
export function reportFolder(dataDir: string): string {
  return join(dataDir, 'reports');
}

export function reportPath(dataDir: string, companyId: number, id: number): string {
  return join(reportFolder(dataDir), `${companyId}-${id}`);
}
