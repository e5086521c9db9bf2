import { z } from 'zod';
import type { RuleRow } from '../../features/compliance/rules.read.sql.ts';
import type { RuleInput } from '../../features/compliance/rules.sql.ts';
import { id, instant, readOnly } from '../../http/fields.ts';
import {
  booleanField,
  dayField,
  documentsField,
  mergeFields,
  monthField,
  nameField,
  required,
  SCRIPT_EXAMPLE,
  scriptField,
  takeEitherName,
  textField,
  wholeField,
} from './form-fields.ts';

const fields = {
  name: nameField(200, 'Ativo igual ao passivo').describe('Unique; identifies the rule on update. Required'),
  cluetypeid: wholeField.meta({ example: 3, description: 'Required' }),
  businesssystemid: wholeField.meta({ example: 1, description: 'Required' }),
  documents: documentsField,
  documentslist: documentsField.meta({ example: [1], description: 'Alternate name of documents' }),
  basebegin: monthField.describe('Required'),
  baseend: monthField.meta({ example: '2030-12' }),
  description: textField(200, 'Os dois lados do balanço são iguais'),
  validitybegin: dayField.meta({ example: '2026-01-01', description: 'Required' }),
  validityend: dayField.meta({ example: '2030-12-31' }),
  validityfinal: dayField.meta({ example: '2030-12-31', description: 'Alternate name of validityend' }),
  script: scriptField,
  autorun: booleanField,
};

export const RULE_FIELDS = {
  baseBegin: 'basebegin',
  baseEnd: 'baseend',
  businessSystemId: 'businesssystemid',
  severityId: 'cluetypeid',
  validityBegin: 'validitybegin',
  validityEnd: 'validityend',
} as const;

export const ruleQuery = z.strictObject(fields);

const RULE_EXAMPLE = {
  name: 'Caixa dentro do limite',
  cluetypeid: 2,
  businesssystemid: 2,
  documents: [1],
  basebegin: '2026-01',
  baseend: '2030-12',
  description: 'O caixa não passa de mil reais',
  validitybegin: '2026-01-01',
  validityend: '2030-12-31',
  script: SCRIPT_EXAMPLE,
  autorun: false,
};

/** A client may send back the rule that it read. */
export const ruleBody = z
  .strictObject({
    ...fields,
    id: readOnly,
    cluetype: readOnly,
    businesssystem: readOnly,
    scriptVersion: readOnly,
    createdAt: readOnly,
    updatedAt: readOnly,
  })
  .meta({ example: RULE_EXAMPLE })
  .nullish();

export const ruleAnswer = z
  .object({
    id,
    name: z.string(),
    cluetypeid: id,
    cluetype: z.string(),
    businesssystemid: id,
    businesssystem: z.string(),
    documents: z.array(id),
    basebegin: z.string(),
    baseend: z.string().nullable(),
    description: z.string().nullable(),
    validitybegin: z.string(),
    validityend: z.string().nullable(),
    script: z.string().nullable(),
    scriptVersion: z.number().int(),
    autorun: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    example: {
      id: 1,
      cluetype: 'WARNING',
      businesssystem: 'TESOURARIA',
      scriptVersion: 1,
      ...RULE_EXAMPLE,
      createdAt: '2026-02-05T18:15:00.000Z',
      updatedAt: '2026-02-05T18:15:00.000Z',
    },
  });

export function ruleFromWire(query: z.output<typeof ruleQuery>, body: z.output<typeof ruleBody>): RuleInput {
  const { name, cluetypeid, businesssystemid, documents, basebegin, validitybegin, ...optional } = required(
    mergeFields(withOneName(query), body && withOneName(body)),
    'name',
    'cluetypeid',
    'businesssystemid',
    'documents',
    'basebegin',
    'validitybegin',
  );
  return {
    name,
    severityId: cluetypeid,
    businessSystemId: businesssystemid,
    documents,
    baseBegin: basebegin,
    baseEnd: optional.baseend,
    description: optional.description,
    validityBegin: validitybegin,
    validityEnd: optional.validityend,
    script: optional.script,
    autorun: optional.autorun ?? false,
  };
}

/** Resolves the differences between the two specifications of this service within one part of the request. */
function withOneName({ documentslist, validityfinal, ...rest }: z.output<typeof ruleQuery>) {
  const documents = takeEitherName(['documents', sortIds(rest.documents)], ['documentslist', sortIds(documentslist)]);
  const validityend = takeEitherName(['validityend', rest.validityend], ['validityfinal', validityfinal]);
  return { ...rest, documents, validityend };
}

function sortIds(ids: number[] | undefined): number[] | undefined {
  return ids && [...new Set(ids)].sort((a, b) => a - b);
}

export function ruleToWire(row: RuleRow): z.output<typeof ruleAnswer> {
  return {
    id: row.id,
    name: row.name,
    cluetypeid: row.severityId,
    cluetype: row.severity,
    businesssystemid: row.businessSystemId,
    businesssystem: row.businessSystem,
    documents: [...row.documents],
    basebegin: row.baseBegin,
    baseend: row.baseEnd,
    description: row.description,
    validitybegin: row.validityBegin,
    validityend: row.validityEnd,
    script: row.script,
    scriptVersion: row.scriptVersion,
    autorun: row.autorun,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
