import { queryOptions } from '@tanstack/react-query';
import { api } from '../../data/client.ts';

// What the four parts of the screen read. Whatever changes a right asks for all of them again: USERS_KEY.

export const USERS_KEY = 'users';

export type User = Awaited<ReturnType<typeof api.authentication.listUsers>>['content'][number];
export type Group = Awaited<ReturnType<typeof api.masterdata.listGroups>>[number];
export type Matrix = Awaited<ReturnType<typeof api.authentication.getAccessMatrix>>;
export type Permission = { readonly company: string; readonly branch: string | null };

/** Most users that the members of a group are chosen from, and that the matrix shows at once. */
const MOST_USERS = 1_000;

export const usersQuery = (search: string) =>
  queryOptions({
    queryKey: [USERS_KEY, 'list', search],
    queryFn: async ({ signal }) => {
      const query = { page: 0, size: MOST_USERS, ...(search === '' ? {} : { search }) };
      return api.authentication.listUsers({ query }, { signal });
    },
  });

export const groupsQuery = queryOptions({
  queryKey: [USERS_KEY, 'groups'],
  queryFn: ({ signal }) => api.masterdata.listGroups({}, { signal }),
});

export const matrixQuery = (search: string) =>
  queryOptions({
    queryKey: [USERS_KEY, 'matrix', search],
    queryFn: ({ signal }) => {
      const query = { page: 0, size: MOST_USERS, ...(search === '' ? {} : { search }) };
      return api.authentication.getAccessMatrix({ query }, { signal });
    },
  });
