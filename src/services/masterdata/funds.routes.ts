import { z } from 'zod';
import { FUND_SETTINGS, FUND_TYPE } from '../../features/master-data/records/definitions.ts';
import { cnpj, cnpjOrCpf, nameText } from '../../http/fields.ts';
import { recordRoutes } from './record-routes.ts';

export const fundTypeRoutes = recordRoutes({
  definition: FUND_TYPE,
  tag: 'Funds',
  paths: { create: '/fundType', item: '/fundType/{id}' },
  changedBy: 'SETTINGS',
});

const provider = z.strictObject({ cnpj, name: nameText(200) });
const manager = z.strictObject({ document: cnpjOrCpf, name: nameText(200) });
const shownProvider = z.object({ cnpj: z.string(), name: z.string() });
const shownManager = z.object({ document: z.string(), name: z.string() });

export const fundSettingsRoutes = recordRoutes({
  definition: FUND_SETTINGS,
  tag: 'Funds',
  paths: { create: '/fund/settings', item: '/fund/settings/{id}' },
  changedBy: 'SETTINGS',
  structures: {
    body: { administrator: provider, manager, custodian: provider, auditor: provider },
    answer: {
      administrator: shownProvider,
      manager: shownManager,
      custodian: shownProvider,
      auditor: shownProvider,
    },
  },
});
