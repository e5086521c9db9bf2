import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { countText, dayText } from '../../ui/format.ts';
import type { Column } from '../../ui/grid-columns.tsx';
import { Empty, Result } from '../../ui/states.tsx';
import { type User, usersQuery } from './access-data.ts';
import { Part, useFilter } from './parts.tsx';
import { NEW, useRecordInAddress } from './use-record-in-address.ts';
import { UserForm } from './user-form.tsx';

export function Users() {
  const { opened: registro, grid, open } = useRecordInAddress();
  const query = useQuery(usersQuery(useFilter()));
  const create = () => open(NEW);
  const opened = query.data?.content.find(({ id }) => String(id) === registro);
  return (
    <Part
      count={query.data && `${countText(query.data.totalElements)} usuários`}
      keys={[
        { keys: '↑ ↓', label: 'usuário' },
        { keys: 'Enter', label: 'altera' },
        { keys: 'N', label: 'novo', run: create },
      ]}
      actions={
        <Button kind="primary" icon="plus" onClick={create}>
          Novo usuário
        </Button>
      }
    >
      <Result query={query}>
        {({ content }) => (
          <DataGrid
            ref={grid}
            label="Usuários"
            rows={content}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            onOpen={({ id }) => open(String(id))}
            rowClass={({ active }) => (active ? undefined : 'user-off')}
            empty={<Empty title="Nenhum usuário">Nenhum nome ou e-mail tem o que o filtro diz.</Empty>}
          />
        )}
      </Result>
      {(registro === NEW || opened) && (
        <UserForm key={registro} {...(opened ? { before: opened } : {})} onClose={() => open(undefined)} />
      )}
    </Part>
  );
}

const COLUMNS: readonly Column<User>[] = [
  { id: 'username', title: 'Usuário', text: ({ username }) => username, grows: true, atLeast: 12, narrow: true },
  { id: 'name', title: 'Nome', text: ({ name }) => name, grows: true, atLeast: 16 },
  { id: 'email', title: 'E-mail', text: ({ email }) => email ?? '', grows: true, atLeast: 16, look: 'faint' },
  {
    id: 'reach',
    title: 'Empresas e filiais',
    text: (user) => (user.admin ? 'todas' : user.permissions.map(permissionText).join(', ')),
    grows: true,
    atLeast: 14,
  },
  {
    id: 'state',
    title: 'Situação',
    text: stateText,
    draw: (user) => <Badge tone={toneOf(user)}>{stateText(user)}</Badge>,
    widest: 'vencido em 00/00/0000',
    narrow: true,
  },
];

function permissionText({ company, branch }: { company: string; branch: string | null }): string {
  return branch === null ? company : `${company}/${branch}`;
}

function isOver({ expiresAt }: User): boolean {
  return expiresAt !== null && new Date(expiresAt) <= new Date();
}

function stateText(user: User): string {
  if (!user.active) return 'desativado';
  if (isOver(user)) return `vencido em ${dayText(user.expiresAt!)}`;
  return user.admin ? 'administração' : 'ativo';
}

function toneOf(user: User): 'done' | 'none' | 'open' | 'seal' {
  if (!user.active) return 'none';
  if (isOver(user)) return 'open';
  return user.admin ? 'seal' : 'done';
}
