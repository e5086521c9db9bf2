import { createRootRoute, createRoute, Outlet } from '@tanstack/react-router';
import { Arrive } from './arrive.tsx';
import { Frame } from './frame.tsx';
import { ScreenOf } from './screen-of.tsx';
import { ScreenOutlet } from './screen-outlet.tsx';
import { SessionGate } from './session-gate.tsx';

const root = createRootRoute({
  component: () => (
    <SessionGate>
      <Outlet />
    </SessionGate>
  ),
  notFoundComponent: Arrive,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/entrar',
  component: () => <ScreenOf file="sign-in" />,
});

/** The last place, or the first one that the user may see. */
const arrive = createRoute({ getParentRoute: () => root, path: '/', component: Arrive });

const place = createRoute({ getParentRoute: () => root, path: '/$company/$branch/$month', component: Frame });
const screen = createRoute({ getParentRoute: () => place, path: '/$screen', component: ScreenOutlet });

export const routeTree = root.addChildren([signIn, arrive, place.addChildren([screen])]);

/** Parameters are text as they stand in the address: '0001' stays what it is. */
export function parseSearch(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
}
