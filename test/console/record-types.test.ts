import { describe, expect, test } from 'vitest';
import { HINTS, labelOf, TYPE_LABELS, valueLabelOf } from '../../console/screens/records/labels.ts';
import { RECORD_TYPES, type RecordType } from '../../console/screens/records/record-types.ts';
import type { FieldSchema } from '../../console/ui/forms/form-schema.ts';
import { formsOf } from '../../scripts/write-forms.ts';
import type { Route } from '../../src/http/route.ts';
import type { ServiceName } from '../../src/platform/config.ts';
import { SERVICES } from '../../src/services/services.ts';

// Cadastros is made of the documents: what they name, people must be able to read, and what a route admits, the screen
// must offer to the same people.

const FORMS = {
  masterdata: formsOf('masterdata'),
  movements: formsOf('movements'),
  compliance: formsOf('compliance'),
};

interface Named {
  readonly field: string;
  readonly values: readonly string[];
}

const SHOWN_NOWHERE = ['id', 'warnings'];

describe.each(RECORD_TYPES)('$slug', (type) => {
  const forms = FORMS[type.service ?? 'masterdata'];

  test('names operations that exist', () => {
    const named = [type.list, type.create, type.replace, type.remove].filter((each) => each !== undefined);
    expect(named.filter((operation) => forms[operation] === undefined)).toEqual([]);
    expect(named.length).toBeGreaterThan(0);
  });

  test('has a label for its title, every field and every fixed value', () => {
    expect(TYPE_LABELS[type.slug]).toBeDefined();
    const bodies = [type.create, type.replace].flatMap((operation) => (operation && forms[operation]?.body) || []);
    const named = [...bodies.flatMap(fieldsOf), ...type.columns.map((field) => ({ field, values: [] }))];
    const unlabelled = named
      .filter(({ field }) => !SHOWN_NOWHERE.includes(field))
      .flatMap(({ field, values }) => [
        ...(labelOf(type.slug, field) === undefined ? [field] : []),
        ...values.filter((value) => valueLabelOf(field, value) === undefined).map((value) => `${field}: ${value}`),
      ]);
    expect(unlabelled).toEqual([]);
  });

  test('begins new records with fields that they have', () => {
    const fields = Object.keys(forms[type.create ?? '']?.body?.fields ?? {});
    expect(Object.keys(type.initial ?? {}).filter((field) => !fields.includes(field))).toEqual([]);
  });

  test('is changed by those whom its routes admit', () => {
    const changing = [type.create, type.replace, type.remove].filter((each) => each !== undefined);
    for (const operation of changing) {
      const { access } = routeOf(type, operation);
      expect([operation, access.to === 'admins']).toEqual([operation, type.adminOnly === true]);
      expect([operation, 'routine' in access ? access.routine : undefined]).toEqual([operation, type.routine]);
    }
  });
});

test('what operations take, a form of every change has a field for', () => {
  const taken = (form: FieldSchema | undefined) =>
    Object.entries(form?.fields ?? {}).filter(([, { kind }]) => kind !== 'readOnly');
  for (const { service = 'masterdata', create, replace } of RECORD_TYPES) {
    if (create === undefined || replace === undefined) continue;
    const [first, second] = [create, replace].map((each) => taken(FORMS[service][each]?.body).map(([name]) => name));
    expect([create, second!.filter((name) => !first!.includes(name))]).toEqual([create, []]);
  }
});

test('hints and labels stand for fields that are there', () => {
  const all = new Set(
    RECORD_TYPES.flatMap(({ service = 'masterdata', create, replace }) =>
      [create, replace].flatMap((each) => (each && FORMS[service][each]?.body) || []).flatMap(fieldsOf),
    ).map(({ field }) => field),
  );
  expect(Object.keys(HINTS).filter((field) => !all.has(field))).toEqual([]);
  expect(Object.keys(TYPE_LABELS).sort()).toEqual(RECORD_TYPES.map(({ slug }) => slug).sort());
});

/** Every field inside, with its fixed values. */
function fieldsOf(schema: FieldSchema): Named[] {
  const below = Object.entries(schema.fields ?? {}).flatMap(([field, each]) => [
    { field, values: each.values ?? each.item?.values ?? [] },
    ...fieldsOf(each),
  ]);
  return [...below, ...(schema.item ? fieldsOf(schema.item) : [])];
}

function routeOf({ service = 'masterdata' }: RecordType, operation: string): Route {
  return SERVICES[service as ServiceName].routes.find(({ operationId }) => operationId === operation)!;
}
