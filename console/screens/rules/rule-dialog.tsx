import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Day, firstDay, type Month } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { Failure, messageOf } from '../../ui/states.tsx';
import { CheckField, SelectField, TextAreaField, TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { DayField, MonthField } from '../../ui/typed-field.tsx';
import { choicesQuery, type Rule } from './rules-data.ts';
import '../../ui/forms/forms.css';

interface RuleDialogProps {
  /** Absent: a new one. */
  readonly rule: Rule | undefined;
  readonly onSaved: (rule: Rule) => void;
  readonly onClose: () => void;
}

/** A script to begin with, which compiles. */
const FIRST_SCRIPT =
  'saldo = SALDO_CONTA("1")\nSE saldo < 0 ENTAO\n  ERRO "Saldo negativo: {saldo}"\nFIM\nRETORNA saldo\n';

interface Facts {
  readonly name: string;
  readonly cluetypeid: string;
  readonly businesssystemid: string;
  readonly documents: readonly number[];
  readonly basebegin: Month | undefined;
  readonly baseend: Month | undefined;
  readonly validitybegin: Day | undefined;
  readonly validityend: Day | undefined;
  readonly description: string;
  readonly autorun: boolean;
}

function factsOf(rule: Rule | undefined, month: Month): Facts {
  return {
    name: rule?.name ?? '',
    cluetypeid: rule === undefined ? '' : String(rule.cluetypeid),
    businesssystemid: rule === undefined ? '' : String(rule.businesssystemid),
    documents: rule?.documents ?? [],
    basebegin: (rule?.basebegin ?? month) as Month,
    baseend: (rule?.baseend ?? undefined) as Month | undefined,
    validitybegin: (rule?.validitybegin ?? firstDay(month)) as Day,
    validityend: (rule?.validityend ?? undefined) as Day | undefined,
    description: rule?.description ?? '',
    autorun: rule?.autorun ?? false,
  };
}

/** What a rule is called, where it counts and when; its script is written in the editor. */
export function RuleDialog({ rule, onSaved, onClose }: RuleDialogProps) {
  const { month } = usePlace();
  const queries = useQueryClient();
  const [facts, setFacts] = useState(() => factsOf(rule, month));
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const body = bodyOf(facts, rule === undefined ? FIRST_SCRIPT : (rule.script ?? undefined));
      const saved = await (rule ? api.compliance.replaceRule({ body }) : api.compliance.createRule({ body }));
      await queries.invalidateQueries({ queryKey: ['rules'] });
      toast(`${saved.name}: gravada.`);
      onSaved(saved);
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={rule ? rule.name : 'Nova regra'}
      wide
      onClose={onClose}
      onSubmit={() => void save()}
      actions={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" kind="primary" busy={busy}>
            Gravar
          </Button>
        </>
      }
    >
      {error !== undefined && (
        <p className="field-problem" role="alert">
          {messageOf(error)}
        </p>
      )}
      <RuleFields facts={facts} isNew={rule === undefined} problems={problemsOf(error)} onChange={setFacts} />
    </Dialog>
  );
}

/** What is empty is left out: the server says what it misses. */
function bodyOf({ cluetypeid, businesssystemid, documents, ...facts }: Facts, script: string | undefined) {
  const ids = { cluetypeid: Number(cluetypeid) || undefined, businesssystemid: Number(businesssystemid) || undefined };
  const all = { ...facts, ...ids, documents: documents.length === 0 ? undefined : [...documents], script };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== ''));
}

interface RuleFieldsProps {
  readonly facts: Facts;
  readonly isNew: boolean;
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (facts: Facts) => void;
}

function RuleFields({ facts, isNew, problems, onChange }: RuleFieldsProps) {
  const { data, error, refetch } = useQuery(choicesQuery);
  const change = (changes: Partial<Facts>) => onChange({ ...facts, ...changes });
  const choices = (rows: readonly { id: number; name: string }[] = []) => [
    { value: '', text: '—' },
    ...rows.map(({ id, name }) => ({ value: String(id), text: name })),
  ];
  return (
    <div className="form-fields">
      {data === undefined && error && <Failure error={error} onRepeat={() => refetch()} />}
      <TextField
        label="Nome *"
        className="form-double"
        value={facts.name}
        onChange={(name) => change({ name })}
        problem={problems.name}
        disabled={!isNew}
        hint={isNew ? undefined : 'O nome identifica a regra.'}
      />
      <SelectField
        label="Severidade *"
        value={facts.cluetypeid}
        onChange={(cluetypeid) => change({ cluetypeid })}
        problem={problems.cluetypeid}
        choices={choices(data?.severities)}
      />
      <SelectField
        label="Sistema *"
        value={facts.businesssystemid}
        onChange={(businesssystemid) => change({ businesssystemid })}
        problem={problems.businesssystemid}
        choices={choices(data?.systems)}
      />
      <TextAreaField
        label="Descrição"
        className="form-wide"
        rows={2}
        value={facts.description}
        onChange={(description) => change({ description })}
        problem={problems.description}
      />
      <fieldset className="form-wide form-checks">
        <legend>Documentos *</legend>
        {data?.documents.map(({ id, code, name }) => (
          <CheckField
            key={id}
            label={`${code} · ${name}`}
            value={facts.documents.includes(id)}
            onChange={(is) =>
              change({ documents: is ? [...facts.documents, id] : facts.documents.filter((each) => each !== id) })
            }
          />
        ))}
        {problems.documents !== undefined && <p className="field-problem">{problems.documents}</p>}
      </fieldset>
      <PeriodFields facts={facts} problems={problems} change={change} />
      <CheckField
        label="Roda depois de cada consolidação"
        value={facts.autorun}
        onChange={(autorun) => change({ autorun })}
      />
    </div>
  );
}

interface PeriodFieldsProps extends Pick<RuleFieldsProps, 'facts' | 'problems'> {
  readonly change: (changes: Partial<Facts>) => void;
}

/** The months that the rule looks at, and the days on which it is in force. */
function PeriodFields({ facts, problems, change }: PeriodFieldsProps) {
  const { month } = usePlace();
  return (
    <>
      <MonthField
        label="Meses desde *"
        near={month}
        value={facts.basebegin}
        onChange={(basebegin) => change({ basebegin })}
        problem={problems.basebegin}
      />
      <MonthField
        label="Meses até"
        near={month}
        value={facts.baseend}
        onChange={(baseend) => change({ baseend })}
        problem={problems.baseend}
      />
      <DayField
        label="Vigora desde *"
        month={month}
        value={facts.validitybegin}
        onChange={(validitybegin) => change({ validitybegin })}
        problem={problems.validitybegin}
      />
      <DayField
        label="Vigora até"
        month={month}
        value={facts.validityend}
        onChange={(validityend) => change({ validityend })}
        problem={problems.validityend}
      />
    </>
  );
}
