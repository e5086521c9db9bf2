import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asId, type CompanyId } from '../../src/accounting/ids.ts';
import { DEMO_HEAD_OFFICE, DEMO_YEAR, workDemoYear } from '../support/demo-year.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { checkWhole, type WholeEcd, writeWhole } from '../support/written-ecd.ts';

describe('the year of the sample bank as a bookkeeping file', () => {
  let platform: Platform;
  let request: { companyId: CompanyId; company: string; year: number };
  let journal: WholeEcd;
  let daily: WholeEcd;

  beforeAll(async () => {
    platform = await startPlatform();
    await workDemoYear(platform.admin);
    const { company } = DEMO_HEAD_OFFICE;
    const { id } = await bodyOf(platform.admin.get('masterdata', `/companies/bycompany/${company}`));
    request = { companyId: asId<CompanyId>(id), company, year: DEMO_YEAR };
    journal = await writeWhole(platform, request);
    daily = await writeWhole(platform, { ...request, book: 'B' });
  }, 300_000);
  afterAll(() => platform.stop());

  it('is taken by the checker without a finding but the missing block C', async () => {
    for (const file of [journal, daily]) {
      expect(file).toMatchObject({ written: true, findings: [] });
      const { errors, findings } = await checkWhole(file);
      expect(findings.map(({ rule }) => rule)).toEqual(['PARTIDAS_SEM_BLOCO_C']);
      expect(errors).toBe(0);
    }
  });
});
