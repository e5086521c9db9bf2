import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../data/client.ts';
import { useSession } from '../../data/session.ts';
import type { FormRecord } from '../../ui/forms/form-value.ts';

/** What the user chose the last time that this report was printed; undefined while it is read. */
export function usePreferences(report: string) {
  const session = useSession();
  const user = 'who' in session ? session.who.user.username : '';
  const queryClient = useQueryClient();
  const queryKey = ['report preferences', user, report];
  const { data, error } = useQuery({
    queryKey,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const query = { idUsuario: user, nomeRelatorio: report };
      return readChoices(await api.reports.getPreferences({ query }, { signal }));
    },
  });
  return {
    // Without them the form begins with what the report itself has.
    choices: error ? {} : data,
    save: async (choices: FormRecord) => {
      queryClient.setQueryData(queryKey, choices);
      const body = { idUsuario: user, nomeRelatorio: report, preferencias: choices };
      await api.reports.savePreferences({ body: body as never });
    },
  };
}

function readChoices(text: string): FormRecord {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? (read as FormRecord) : {};
  } catch {
    return {};
  }
}
