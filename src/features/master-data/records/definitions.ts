import { SQL } from '../../../platform/database/statement.ts';
import { defaulted, optional, required } from './fields.ts';
import type { RecordDefinition } from './record-definition.ts';

// Records without rules: services/masterdata/record-routes.ts serves them as they stand here. One that gains a rule moves
// to the context that the rule belongs to, with use cases of its own.

export const FUND_TYPE = {
  name: 'Fund type',
  table: 'fund_type',
  owner: 'GLOBAL',
  orderBy: SQL`fund_type.code`,
  uniqueField: 'code',
  fields: {
    code: required.code(20, { example: 'PREV' }),
    description: required.text(200, { example: 'Fundo previdenciário' }),
    regulatoryPlan: required.oneOf(['COFI', 'COSIF']),
    taxationTerm: optional.text(20),
    comeCotas: defaulted.flag(),
    quotaType: optional.text(20),
    active: defaulted.flag(),
  },
} as const satisfies RecordDefinition;

interface Provider {
  readonly cnpj: string;
  readonly name: string;
}

export const FUND_SETTINGS = {
  name: 'Fund settings',
  table: 'fund_settings',
  owner: 'TENANT',
  orderBy: SQL`fund_settings.name, fund_settings.id`,
  uniqueField: 'branch',
  fields: {
    fundTypeId: required.id(),
    cnpj: required.cnpj(),
    name: required.name(200, { example: 'Fundo Exemplo FIF' }),
    cvmCode: optional.text(20),
    registrationDate: optional.day({ example: '2026-01-31' }),
    startDate: optional.day({ example: '2026-01-31' }),
    fiscalYearStart: optional.dayAndMonth({ example: '01/01' }),
    fiscalYearEnd: optional.dayAndMonth({ example: '31/12' }),
    condominium: optional.oneOf(['A', 'F']),
    administrator: optional.json<Provider>(),
    manager: optional.json<{ readonly document: string; readonly name: string }>(),
    custodian: optional.json<Provider>(),
    auditor: optional.json<Provider>(),
    administrationFee: optional.percentage({ example: 1.5 }),
    performanceFee: optional.percentage({ example: 1.5 }),
    quotaDecimals: optional.integer(0, 12, { example: 8 }),
    active: defaulted.flag(),
  },
} as const satisfies RecordDefinition;
