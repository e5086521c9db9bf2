import { useQueryClient } from '@tanstack/react-query';
import { PartidasProblem } from 'partidas-client';
import { type ReactNode, useRef, useState } from 'react';
import { readSession } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { bodyOf, byPoints, type FormRecord, newRecord } from '../../ui/forms/form-value.ts';
import { unreadFields } from '../../ui/forms/readings.ts';
import { type FormWords, type InputProps, SchemaFields } from '../../ui/forms/schema-fields.tsx';
import { useKeys } from '../../ui/keys.tsx';
import { Facts } from '../../ui/side-panel.tsx';
import { messageOf } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { askRegister, fillEmpty } from './fill-by-register.ts';
import { HINTS, labelOf, TYPE_LABELS, valueLabelOf } from './labels.ts';
import { valueText } from './record-text.ts';
import type { RecordType } from './record-types.ts';
import { type RecordsPlace, type Row, removeRecord, type Saved, saveRecord, schemaOf } from './records-data.ts';
import { referenceInput } from './references.tsx';
import './record-form.css';

interface RecordFormProps {
  readonly type: RecordType;
  readonly place: RecordsPlace;
  /** Absent: a new one. */
  readonly before: { readonly row: Row; readonly at: number } | undefined;
  /** May be changed here. */
  readonly canSave: boolean;
  readonly canRemove: boolean;
  readonly onClose: () => void;
  /** What a new one begins with, beside what its type says. */
  readonly initial?: FormRecord;
  readonly hidden?: readonly string[];
  /** In the place of the server: a row of a sheet waits for the others. */
  readonly onPut?: (row: FormRecord) => void;
  readonly onRemove?: () => void;
  /** Inputs that this screen knows better. */
  readonly inputOf?: (field: string, props: InputProps) => ReactNode | undefined;
}

/** A record over the list: new, changed, or only read. */
export function RecordForm(props: RecordFormProps) {
  const { type, before, canSave, canRemove, onClose } = props;
  const [question, setQuestion] = useState<'discard' | 'remove'>();
  const [consequences, setConsequences] = useState<string>();
  const [secret, setSecret] = useState<string>();
  const form = useRecordForm(props, { onSecret: setSecret, onQuestion: setConsequences });
  const label = TYPE_LABELS[type.slug]!;
  const close = () => (form.isChanged ? setQuestion('discard') : onClose());
  useKeys([{ keys: 'Ctrl+S', run: () => void form.save() }], 'dialog');
  const title = before ? nameOf(type, before.row) : `${label.aNew} ${label.one}`;
  if (secret !== undefined) return <SecretDialog secret={secret} onClose={onClose} />;
  return (
    <>
      <Dialog
        title={title}
        wide
        onClose={close}
        onSubmit={() => void form.save()}
        actions={
          <>
            {before && canRemove && (
              <Button kind="danger" icon="trash" onClick={() => setQuestion('remove')}>
                Excluir
              </Button>
            )}
            <Button onClick={close}>{canSave ? 'Cancelar' : 'Fechar'}</Button>
            {canSave && (
              <Button type="submit" kind="primary" busy={form.isSaving}>
                {props.onPut ? 'Pôr na lista' : 'Gravar'}
              </Button>
            )}
          </>
        }
      >
        <RecordFields {...props} form={form} />
      </Dialog>
      {question === 'discard' && (
        <ConfirmDialog
          title="Descartar o que foi digitado?"
          action="Descartar"
          onConfirm={onClose}
          onClose={() => setQuestion(undefined)}
        >
          <p>O que mudou ainda não foi gravado.</p>
        </ConfirmDialog>
      )}
      {consequences !== undefined && (
        <ConfirmDialog
          title="Gravar mesmo assim?"
          action="Gravar"
          onConfirm={() => form.save(true)}
          onClose={() => setConsequences(undefined)}
        >
          <p>{consequences}</p>
        </ConfirmDialog>
      )}
      {question === 'remove' && before && (
        <RemoveDialog
          type={type}
          place={props.place}
          before={before}
          {...(props.onRemove && { onRemove: props.onRemove })}
          onDone={onClose}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </>
  );
}

/** 'Filial · Matriz'. */
function nameOf(type: RecordType, row: Row): string {
  const { one } = TYPE_LABELS[type.slug]!;
  const name = row[type.columns[0]!] ?? row[type.key] ?? '';
  return `${one.charAt(0).toUpperCase()}${one.slice(1)} · ${name}`;
}

interface FormEvents {
  readonly onSecret: (secret: string) => void;
  /** The server asks before it does it. */
  readonly onQuestion: (consequences: string) => void;
}

function useRecordForm(
  { type, place, before, canSave, onClose, initial = {}, onPut }: RecordFormProps,
  { onSecret, onQuestion }: FormEvents,
) {
  const schema = schemaOf(type)!;
  const queries = useQueryClient();
  const [first] = useState<FormRecord>(
    () => before?.row ?? newRecord(schema, { ...initialOf(type, place), ...initial }),
  );
  const [value, setValue] = useState(first);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  const [register, setRegister] = useState<Readonly<Record<string, string>>>({});
  const saving = useRef(false);

  const change = (next: FormRecord) => {
    setValue(next);
    const asked = canSave ? askRegister(value, next) : undefined;
    if (asked === undefined) return;
    const say = (text: string) => setRegister((before) => ({ ...before, [asked.field]: text }));
    say('Consultando o cadastro público…');
    asked.found.then(
      (found) => {
        setValue((current) => fillEmpty(schema, current, found));
        say(`Campos vazios preenchidos por ${found.source}.`);
      },
      (error: unknown) => say(`${messageOf(error)} Preencha à mão.`),
    );
  };
  const refuse = (error: unknown) => {
    if (error instanceof PartidasProblem && error.code === 'CONFIRMATION_REQUIRED') {
      onQuestion(error.message);
      return;
    }
    const found = byPoints(problemsOf(error));
    setProblems(found);
    setRefusal(messageOf(error));
  };
  const save = async (isConfirmed = false) => {
    if (!canSave || saving.current) return;
    const unread = unreadFields(schema, value);
    setProblems(unread);
    setRefusal(Object.keys(unread).length === 0 ? undefined : 'Há campos que não se deixam ler.');
    if (Object.keys(unread).length > 0) return;
    if (onPut) {
      onPut((bodyOf(schema, value) ?? {}) as FormRecord);
      onClose();
      return;
    }
    saving.current = true;
    setIsSaving(true);
    try {
      const { answer } = await saveRecord(
        type,
        place,
        (bodyOf(schema, value) ?? {}) as FormRecord,
        before,
        isConfirmed,
      );
      await Promise.all([queries.invalidateQueries(), readSession()]);
      tell(type, answer);
      if (typeof answer.secret === 'string') onSecret(answer.secret);
      else onClose();
    } catch (error) {
      refuse(error);
    } finally {
      saving.current = false;
      setIsSaving(false);
    }
  };
  const isChanged = canSave && JSON.stringify(value) !== JSON.stringify(first);
  return { schema, value, change, problems, refusal, isSaving, isChanged, register, save };
}

/** A new record stands where the user is. */
function initialOf(type: RecordType, { company, branch, parent }: RecordsPlace): FormRecord {
  const isOwn = (slug: string) => type.slug === slug;
  return {
    ...(isOwn('empresas') ? {} : { company }),
    ...(isOwn('empresas') || isOwn('filiais') ? {} : { branch }),
    ...(isOwn('acessos') && parent !== undefined ? { routineId: Number(parent) } : {}),
    ...type.initial,
  };
}

function tell(type: RecordType, answer: Saved['answer']): void {
  const warnings = Array.isArray(answer.warnings) ? answer.warnings : [];
  const { one } = TYPE_LABELS[type.slug]!;
  if (warnings.length === 0) toast(`Gravado: ${one}.`);
  else toast(`Gravado: ${one}. ${warnings.join(' ')}`, { tone: 'wrong' });
}

type Form = ReturnType<typeof useRecordForm>;

function RecordFields({ type, before, canSave, form, hidden, inputOf }: RecordFormProps & { readonly form: Form }) {
  const { schema } = form;
  const words: FormWords = {
    labelOf: (field) => labelOf(type.slug, field) ?? field,
    valueLabelOf: (field, value) => valueLabelOf(field, value) ?? value,
    hintOf: (field) => form.register[field] ?? HINTS[field],
    inputOf: (field, props) => inputOf?.(field, props) ?? referenceInput(type.slug, field, props),
  };
  const answered = Object.entries(before?.row ?? {}).filter(
    ([field, value]) =>
      value !== null && (schema.fields?.[field]?.kind ?? 'readOnly') === 'readOnly' && labelOf(type.slug, field),
  );
  return (
    <>
      {form.refusal !== undefined && (
        <p className="field-problem" role="alert">
          {form.refusal}
        </p>
      )}
      <fieldset className="record-fields" disabled={!canSave}>
        <SchemaFields
          schema={schema}
          value={form.value}
          onChange={form.change}
          problems={form.problems}
          words={words}
          {...(hidden && { hidden })}
        />
      </fieldset>
      {answered.length > 0 && (
        <details className="record-answered">
          <summary>Registro</summary>
          <Facts
            of={answered.map(([field, value]) => [labelOf(type.slug, field)!, valueText(field, undefined, value)])}
          />
        </details>
      )}
    </>
  );
}

interface RemoveProps {
  /** In the place of the server. */
  readonly onRemove?: () => void;
  readonly type: RecordType;
  readonly place: RecordsPlace;
  readonly before: { readonly row: Row; readonly at: number };
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks before a record is removed; what still uses it is the server's answer. */
export function RemoveDialog({ type, place, before, onRemove, onDone, onClose }: RemoveProps) {
  const queries = useQueryClient();
  const { one } = TYPE_LABELS[type.slug]!;
  const remove = async () => {
    if (onRemove) {
      onRemove();
      onDone();
      return;
    }
    await removeRecord(type, place, before);
    await Promise.all([queries.invalidateQueries(), readSession()]);
    toast(`Excluído: ${one}.`);
    onDone();
  };
  return (
    <ConfirmDialog title={`Excluir ${one}?`} action="Excluir" danger onConfirm={remove} onClose={onClose}>
      <p>
        {nameOf(type, before.row)}{' '}
        {onRemove ? 'sai da lista quando ela for gravada.' : 'deixa de existir. Isto não se desfaz.'}
      </p>
    </ConfirmDialog>
  );
}

/** A secret is shown once: the server keeps it to sign with, and shows it to nobody again. */
function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Dialog
      title="Segredo do aviso"
      onClose={onClose}
      onSubmit={onClose}
      actions={
        <>
          <Button icon="copy" onClick={() => void navigator.clipboard.writeText(secret)}>
            Copiar
          </Button>
          <Button type="submit" kind="primary">
            Guardei
          </Button>
        </>
      }
    >
      <p>Guarde-o agora: ele confere a assinatura dos avisos e não volta a ser mostrado.</p>
      <code className="record-secret">{secret}</code>
    </Dialog>
  );
}
