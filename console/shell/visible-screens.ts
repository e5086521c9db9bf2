import { useSession } from '../data/session.ts';
import { SCREENS, type ScreenEntry } from '../routes.tsx';

/** The screens that the user may see, in the order of the rail. */
export function useVisibleScreens(): readonly ScreenEntry[] {
  const session = useSession();
  if (!('who' in session)) return [];
  const { user, deniedRoutines } = session.who;
  return SCREENS.filter(
    ({ routine, adminOnly }) =>
      (!adminOnly || user.admin) && (routine === undefined || !deniedRoutines.includes(routine)),
  );
}
