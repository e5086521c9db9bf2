import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { type OfficialList, readOfficialCodes, useChart } from '../../data/queries.ts';
import { useCompanies } from '../../data/session.ts';
import { AccountField } from '../../ui/account-field.tsx';
import { ComboField } from '../../ui/combo-field.tsx';
import { fold } from '../../ui/format.ts';
import type { InputProps } from '../../ui/forms/schema-fields.tsx';
import { SelectField } from '../../ui/text-field.tsx';
import { type Row, recordsKey, recordsQuery, typeOf } from './records-data.ts';

// Fields that name another record: chosen by its name, and shown by it.

interface Reference {
  /** Its type, an official list of codes, or the users, which another screen keeps. */
  readonly slug: string;
  /** What the field holds of it. */
  readonly value: string;
  /** What people read. */
  readonly texts: readonly string[];
}

const USERS = 'usuarios';
const officialCode = (slug: OfficialList): Reference => ({ slug, value: 'code', texts: ['code', 'description'] });
const STATEMENT: Reference = { slug: 'demonstracoes', value: 'id', texts: ['code', 'name'] };

const REFERENCES: Readonly<Record<string, Reference>> = {
  fundTypeId: { slug: 'tipos-de-fundo', value: 'id', texts: ['code', 'description'] },
  routineId: { slug: 'rotinas', value: 'id', texts: ['code', 'name'] },
  groupId: { slug: 'grupos', value: 'id', texts: ['name'] },
  userId: { slug: USERS, value: 'id', texts: ['username', 'name'] },
  users: { slug: USERS, value: 'id', texts: ['username', 'name'] },
  planRef_uuid: { slug: 'planos-referenciais', value: 'planRef_uuid', texts: ['code', 'name'] },
  accountRef_uuid: { slug: 'contas-referenciais', value: 'accountRef_uuid', texts: ['code', 'description'] },
  chartCode: { slug: 'planos', value: 'chartCode', texts: ['chartCode'] },
  balanceSheetId: STATEMENT,
  incomeStatementId: STATEMENT,
  equityStatementId: STATEMENT,
  entity: officialCode('COD_ENT_REF'),
  qualification: officialCode('COD_ASSIN'),
  cdhistorico: { slug: 'historicos', value: 'cdHistory', texts: ['cdHistory', 'description'] },
};

/** Of a type's field: its code is what the others are called by. */
const OF_TYPE: Readonly<Record<string, Reference>> = {
  'usos-de-lancamento-padrao code': { slug: 'lancamentos-padrao', value: 'code', texts: ['code', 'description'] },
};

const ACCOUNTS: ReadonlySet<string> = new Set([
  ...['contaId', 'contrapartida', 'excludeAccounts', 'netEquityAccountId', 'quotaQuantityAccountId'],
  ...['creditResultAccountId', 'debitResultAccountId', 'profitAccountId', 'lossAccountId'],
]);

/** Types whose own code a field of this name is. */
const OWN: Readonly<Record<string, string>> = { company: 'empresas', branch: 'filiais', chartCode: 'planos' };

function referenceOf(slug: string, field: string): Reference | undefined {
  if (OWN[field] === slug || typeOf(slug)?.key === field) return undefined;
  return OF_TYPE[`${slug} ${field}`] ?? REFERENCES[field];
}

/** The input of a field that names another record; undefined where it names none. */
export function referenceInput(slug: string, field: string, props: InputProps): ReactNode | undefined {
  if (props.schema.kind === 'list') return undefined;
  if (ACCOUNTS.has(field)) return <AccountInput {...props} />;
  if (OWN[field] === slug) return undefined;
  if (field === 'company' || field === 'owner') return <CompanyInput {...props} />;
  if (field === 'branch') return <BranchInput {...props} />;
  const reference = referenceOf(slug, field);
  return reference && <ReferenceInput {...props} reference={reference} />;
}

function fieldOf({ label, hint, hiddenLabel = false, problem, schema }: InputProps) {
  return { label: schema.required ? `${label} *` : label, hint, hiddenLabel, problem };
}

function AccountInput(props: InputProps) {
  const { byId } = useChart();
  const { value, onChange } = props;
  const id = value as number | undefined;
  return (
    <AccountField
      {...fieldOf(props)}
      hint={id === undefined ? undefined : byId(id)?.name}
      value={id}
      onChange={onChange}
    />
  );
}

function CompanyInput(props: InputProps) {
  const choices = useCompanies().map(({ code, name }) => ({ value: code, text: `${code} · ${name}` }));
  return <CodeInput props={props} choices={choices} />;
}

function BranchInput(props: InputProps) {
  const here = usePlace();
  const company = (props.record.company as string | undefined) ?? here.company;
  const branches = useCompanies().find(({ code }) => code === company)?.branches ?? [];
  const choices = branches.map(({ code, name }) => ({ value: code, text: `${code} · ${name}` }));
  return <CodeInput props={props} choices={choices} />;
}

interface CodeInputProps {
  readonly props: InputProps;
  readonly choices: readonly { readonly value: string; readonly text: string }[];
}

function CodeInput({ props, choices }: CodeInputProps) {
  const value = (props.value as string | undefined) ?? '';
  const blank = { value: '', text: props.schema.required ? '—' : 'Todas' };
  const unlisted = value !== '' && !choices.some((each) => each.value === value) ? [{ value, text: value }] : [];
  return (
    <SelectField
      {...fieldOf(props)}
      value={value}
      onChange={(next) => props.onChange(next === '' ? undefined : next)}
      choices={[...(props.schema.required && value !== '' ? [] : [blank]), ...unlisted, ...choices]}
    />
  );
}

const MOST_FOUND = 30;

function ReferenceInput({ reference, ...props }: InputProps & { readonly reference: Reference }) {
  const { data = [] } = useQuery(useReferenceQuery(reference));
  const { value, onChange } = props;
  const chosen = data.find((row) => row[reference.value] === value);
  // What the list does not have is shown as it is.
  const unlisted = value === undefined ? undefined : { [reference.value]: value, [reference.texts[0]!]: value };
  return (
    <ComboField<Row>
      {...fieldOf(props)}
      value={chosen ?? unlisted}
      onChange={(row) => onChange(row?.[reference.value])}
      find={(text) =>
        data.filter((row) => fold(textOf(reference, row)).includes(fold(text.trim()))).slice(0, MOST_FOUND)
      }
      keyOf={(row) => String(row[reference.value])}
      textOf={(row) => textOf(reference, row)}
    />
  );
}

function textOf({ texts }: Reference, row: Row): string {
  return texts.flatMap((name) => row[name] ?? []).join(' · ');
}

function useReferenceQuery({ slug }: Reference) {
  const place = usePlace();
  return referenceQuery(slug, place);
}

function referenceQuery(slug: string, place: ReturnType<typeof usePlace>) {
  const type = typeOf(slug);
  if (type !== undefined) return recordsQuery(type, { ...place, parent: undefined });
  return queryOptions({
    queryKey: recordsKey(slug),
    queryFn: async ({ signal }): Promise<readonly Row[]> =>
      slug === USERS
        ? (await api.authentication.listUsers({ query: { size: 1_000 } }, { signal })).content
        : readOfficialCodes(slug as OfficialList, signal),
  });
}

/** What people read for the values of some fields that name other records. */
export function useReferenceTexts(
  slug: string,
  fields: readonly string[],
): (field: string, value: unknown) => string | undefined {
  const place = usePlace();
  const { byId } = useChart();
  const named = fields.flatMap((field) => {
    const reference = referenceOf(slug, field);
    return reference === undefined ? [] : [{ field, reference }];
  });
  const results = useQueries({ queries: named.map(({ reference }) => referenceQuery(reference.slug, place)) });
  return (field, value) => {
    if (ACCOUNTS.has(field)) {
      const account = byId(value as number);
      return account && `${account.code} ${account.name}`;
    }
    const at = named.findIndex((each) => each.field === field);
    const { reference } = named[at] ?? {};
    const row = reference && results[at]!.data?.find((each) => each[reference.value] === value);
    return row && textOf(reference, row);
  };
}
