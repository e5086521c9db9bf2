import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../data/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { countText, fold } from '../../ui/format.ts';
import type { Column } from '../../ui/grid-columns.tsx';
import { Empty, messageOf, Result } from '../../ui/states.tsx';
import { CheckField, TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Group, groupsQuery, type Permission, USERS_KEY, usersQuery } from './access-data.ts';
import { Part, useFilter } from './parts.tsx';
import { PermissionLines } from './permission-lines.tsx';
import { NEW, useRecordInAddress } from './use-record-in-address.ts';
import { useSave } from './use-save.ts';

export function Groups() {
  const { opened: registro, grid, open } = useRecordInAddress();
  const query = useQuery(groupsQuery);
  const filter = fold(useFilter());
  const create = () => open(NEW);
  const opened = query.data?.find(({ id }) => String(id) === registro);
  const addButton = (
    <Button kind="primary" icon="plus" onClick={create}>
      Novo grupo
    </Button>
  );
  return (
    <Part
      count={query.data && `${countText(query.data.length)} grupos`}
      keys={[
        { keys: '↑ ↓', label: 'grupo' },
        { keys: 'Enter', label: 'altera' },
        { keys: 'N', label: 'novo', run: create },
      ]}
      actions={addButton}
    >
      <Result query={query}>
        {(groups) => (
          <DataGrid
            ref={grid}
            label="Grupos"
            rows={groups.filter(({ name, code }) => fold(`${name} ${code ?? ''}`).includes(filter))}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            onOpen={({ id }) => open(String(id))}
            empty={
              <Empty title="Nenhum grupo" action={addButton}>
                Quem está em um grupo ativo herda as empresas e as rotinas dele.
              </Empty>
            }
          />
        )}
      </Result>
      {(registro === NEW || opened) && (
        <GroupForm key={registro} {...(opened ? { before: opened } : {})} onClose={() => open(undefined)} />
      )}
    </Part>
  );
}

const COLUMNS: readonly Column<Group>[] = [
  { id: 'name', title: 'Grupo', text: ({ name }) => name, grows: true, atLeast: 16, narrow: true },
  { id: 'code', title: 'Código', text: ({ code }) => code ?? '', look: 'code' },
  { id: 'users', title: 'Membros', text: ({ users }) => countText(users.length), align: 'end', narrow: true },
  {
    id: 'reach',
    title: 'Empresas e filiais',
    text: ({ companies }) =>
      companies.map(({ company, branch }) => [company, branch].filter(Boolean).join('/')).join(', '),
    grows: true,
    atLeast: 16,
  },
  {
    id: 'state',
    title: 'Situação',
    text: ({ active }) => (active ? 'ativo' : 'inativo'),
    draw: ({ active }) => <Badge tone={active ? 'done' : 'none'}>{active ? 'ativo' : 'inativo'}</Badge>,
    widest: 'inativo....',
  },
];

function GroupForm({ before, onClose }: { readonly before?: Group; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState(before?.name ?? '');
  const [code, setCode] = useState(before?.code ?? '');
  const [description, setDescription] = useState(before?.description ?? '');
  const [active, setActive] = useState(before?.active ?? true);
  const [users, setUsers] = useState<readonly number[]>(before?.users ?? []);
  const [companies, setCompanies] = useState<readonly Permission[]>(before?.companies ?? []);
  const [removing, setRemoving] = useState(false);
  const finish = async (text: string) => {
    await queries.invalidateQueries({ queryKey: [USERS_KEY] });
    toast(text);
    onClose();
  };
  const { save, error, busy } = useSave(async () => {
    const lines = companies.map(({ company, branch }) => ({ company, ...(branch === null ? {} : { branch }) }));
    const texts = { name, code: code || null, description: description || null };
    const body = { ...texts, active, users: [...users], companies: lines };
    if (before === undefined) await api.masterdata.createGroup({ body });
    else await api.masterdata.replaceGroup({ path: { id: before.id }, body });
    await finish(before === undefined ? `O grupo ${name} foi incluído.` : `O grupo ${name} foi alterado.`);
  });
  const problems = problemsOf(error);
  return (
    <>
      <Dialog
        title={before?.name ?? 'Novo grupo'}
        wide
        onClose={onClose}
        onSubmit={save}
        actions={
          <>
            {before && (
              <Button kind="quiet" className="user-ends" onClick={() => setRemoving(true)}>
                Excluir grupo
              </Button>
            )}
            <Button onClick={onClose}>Cancelar</Button>
            <Button type="submit" kind="primary" busy={busy}>
              Gravar
            </Button>
          </>
        }
      >
        <div className="user-fields">
          <TextField label="Nome" value={name} onChange={setName} problem={problems.name} />
          <TextField label="Código" value={code} onChange={setCode} problem={problems.code} />
          <TextField label="Descrição" value={description} onChange={setDescription} problem={problems.description} />
          <div className="user-checks">
            <CheckField label="Ativo" value={active} onChange={setActive} />
          </div>
        </div>
        <Members value={users} onChange={setUsers} />
        <PermissionLines value={companies} onChange={setCompanies} />
        {error !== undefined && (
          <p className="field-problem" role="alert">
            {messageOf(error)}
          </p>
        )}
      </Dialog>
      {removing && before && (
        <ConfirmDialog
          title={`Excluir o grupo ${before.name}?`}
          action="Excluir grupo"
          danger
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await api.masterdata.deleteGroup({ path: { id: before.id } });
            await finish(`O grupo ${before.name} foi excluído.`);
          }}
        >
          <p>Os membros perdem o que tinham por meio dele.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface MembersProps {
  readonly value: readonly number[];
  readonly onChange: (value: readonly number[]) => void;
}

function Members({ value, onChange }: MembersProps) {
  const people = useQuery(usersQuery(''));
  return (
    <fieldset className="lines">
      <legend>Membros</legend>
      <div className="members">
        {people.data?.content.map(({ id, username, name }) => (
          <CheckField
            key={id}
            label={name === username ? username : `${username} · ${name}`}
            value={value.includes(id)}
            onChange={(isIn) => onChange(isIn ? [...value, id] : value.filter((each) => each !== id))}
          />
        ))}
      </div>
    </fieldset>
  );
}
