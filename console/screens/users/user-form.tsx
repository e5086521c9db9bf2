import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Day, dayFromIso } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { messageOf } from '../../ui/states.tsx';
import { CheckField, TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { DayField } from '../../ui/typed-field.tsx';
import { type Permission, USERS_KEY, type User } from './access-data.ts';
import { PermissionLines } from './permission-lines.tsx';
import { useSave } from './use-save.ts';

interface UserFormProps {
  readonly before?: User;
  readonly onClose: () => void;
}

/** What is typed. */
interface Draft {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly active: boolean;
  readonly admin: boolean;
  readonly lastDay: Day | undefined;
  readonly permissions: readonly Permission[];
  readonly identities: readonly Identity[];
}

function draftOf(user: User | undefined): Draft {
  return {
    username: user?.username ?? '',
    name: user?.name ?? '',
    email: user?.email ?? '',
    password: '',
    active: user?.active ?? true,
    admin: user?.admin ?? false,
    lastDay: lastDayOf(user?.expiresAt ?? null),
    permissions: user?.permissions ?? [],
    identities: user?.identities ?? [],
  };
}

/** A new user, or a change of one; what ends its access asks before. */
export function UserForm({ before, onClose }: UserFormProps) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(before));
  const [ending, setEnding] = useState<Ending>();
  const { save, error, busy } = useSave(async () => {
    await saveUser(before, draft);
    await queries.invalidateQueries({ queryKey: [USERS_KEY] });
    toast(before === undefined ? `${draft.username} foi incluído.` : `${draft.username} foi alterado.`);
    onClose();
  });
  const problems = problemsOf(error);
  return (
    <>
      <Dialog
        title={before === undefined ? 'Novo usuário' : before.username}
        wide
        onClose={onClose}
        onSubmit={save}
        actions={
          <>
            {before && (
              <span className="user-ends">
                <Button kind="quiet" onClick={() => setEnding('sessions')}>
                  Encerrar acessos
                </Button>
                <Button kind="quiet" onClick={() => setEnding('factor')}>
                  Retirar segundo fator
                </Button>
              </span>
            )}
            <Button onClick={onClose}>Cancelar</Button>
            <Button type="submit" kind="primary" busy={busy}>
              Gravar
            </Button>
          </>
        }
      >
        <UserFields
          draft={draft}
          isNew={before === undefined}
          problems={problems}
          onChange={(change) => setDraft((now) => ({ ...now, ...change }))}
        />
        {error !== undefined && (
          <p className="field-problem" role="alert">
            {problems.permissions ?? problems.identities ?? messageOf(error)}
          </p>
        )}
      </Dialog>
      {before && ending && <EndAccess user={before} ending={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

async function saveUser(before: User | undefined, { password, lastDay, email, ...draft }: Draft): Promise<void> {
  const body = {
    ...draft,
    email: email || null,
    expiresAt: lastDay === undefined ? null : `${lastDay}T23:59:59-03:00`,
    permissions: draft.permissions.map(({ company, branch }) => ({ company, ...(branch === null ? {} : { branch }) })),
    identities: [...draft.identities],
  };
  if (before === undefined) {
    await api.authentication.createUser({ body: { ...body, ...(password === '' ? {} : { password }) } });
    return;
  }
  await api.authentication.updateUser({ path: { id: before.id }, body });
  if (password !== '') await api.authentication.setUserPassword({ path: { id: before.id }, body: { password } });
}

interface UserFieldsProps {
  readonly draft: Draft;
  readonly isNew: boolean;
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<Draft>) => void;
}

function UserFields({ draft, isNew, problems, onChange }: UserFieldsProps) {
  const { month } = usePlace();
  const field = (name: 'username' | 'name' | 'email' | 'password') => ({
    value: draft[name],
    onChange: (text: string) => onChange({ [name]: text }),
    problem: problems[name],
  });
  return (
    <>
      <div className="user-fields">
        <TextField label="Usuário" {...field('username')} spellCheck={false} />
        <TextField label="Nome" {...field('name')} />
        <TextField label="E-mail" type="email" {...field('email')} />
        <TextField
          label={isNew ? 'Senha' : 'Nova senha'}
          type="password"
          autoComplete="new-password"
          {...field('password')}
          hint={isNew ? 'Sem ela, só um provedor de identidade o deixa entrar.' : 'Encerra as sessões dele.'}
        />
        <DayField
          label="Último dia"
          month={month}
          value={draft.lastDay}
          onChange={(lastDay) => onChange({ lastDay })}
          problem={problems.expiresAt}
          hint="Vazio: sem prazo."
        />
        <div className="user-checks">
          <CheckField label="Ativo" value={draft.active} onChange={(active) => onChange({ active })} />
          <CheckField label="Administra a instalação" value={draft.admin} onChange={(admin) => onChange({ admin })} />
        </div>
      </div>
      {draft.admin ? (
        <p className="lines-none">Quem administra vê todas as empresas e usa todas as rotinas.</p>
      ) : (
        <PermissionLines value={draft.permissions} onChange={(permissions) => onChange({ permissions })} />
      )}
      <IdentityLines value={draft.identities} onChange={(identities) => onChange({ identities })} />
    </>
  );
}

/** The day in Brazil on which it ends. */
function lastDayOf(expiresAt: string | null): Day | undefined {
  if (expiresAt === null) return undefined;
  return dayFromIso(new Date(expiresAt).toLocaleDateString('sv-SE', { timeZone: 'America/Sao_Paulo' }));
}

type Ending = 'sessions' | 'factor';

interface EndAccessProps {
  readonly user: User;
  readonly ending: Ending;
  readonly onClose: () => void;
}

function EndAccess({ user, ending, onClose }: EndAccessProps) {
  const queries = useQueryClient();
  const done = async (text: string) => {
    await queries.invalidateQueries({ queryKey: [USERS_KEY] });
    toast(text);
  };
  const parts = { path: { id: user.id } };
  if (ending === 'sessions') {
    return (
      <ConfirmDialog
        title={`Encerrar os acessos de ${user.username}?`}
        action="Encerrar acessos"
        danger
        onClose={onClose}
        onConfirm={async () => {
          await api.authentication.signUserOutEverywhere(parts);
          await done(`Os acessos de ${user.username} foram encerrados.`);
        }}
      >
        <p>Todas as sessões e todos os tokens deste usuário deixam de valer. Ele pode entrar de novo.</p>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      title={`Retirar o segundo fator de ${user.username}?`}
      action="Retirar"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await api.authentication.resetSecondFactor(parts);
        await done(`${user.username} entra sem segundo fator até cadastrar outro.`);
      }}
    >
      <p>Para quem perdeu o aparelho. As sessões deste usuário terminam também.</p>
    </ConfirmDialog>
  );
}

type Identity = User['identities'][number];

/** Who the user is at identity providers. */
function IdentityLines({
  value,
  onChange,
}: {
  readonly value: readonly Identity[];
  readonly onChange: (value: readonly Identity[]) => void;
}) {
  const change = (at: number, line: Identity) => onChange(value.map((each, index) => (index === at ? line : each)));
  return (
    <fieldset className="lines">
      <legend>Identidades em provedores</legend>
      {value.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place until it is saved
        <div key={at} className="line">
          <TextField
            label={`Provedor ${at + 1}`}
            hiddenLabel
            placeholder="Provedor"
            value={line.provider}
            onChange={(provider) => change(at, { ...line, provider })}
          />
          <TextField
            label={`Identificador ${at + 1}`}
            hiddenLabel
            placeholder="Identificador (sub ou oid)"
            value={line.subject}
            onChange={(subject) => change(at, { ...line, subject })}
          />
          <Button
            kind="quiet"
            icon="trash"
            aria-label={`Retirar a identidade ${at + 1}`}
            onClick={() => onChange(value.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button icon="plus" onClick={() => onChange([...value, { provider: '', subject: '', claim: 'sub' }])}>
        Identidade
      </Button>
    </fieldset>
  );
}
