import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readAhead } from './ahead.ts';
import type { Search } from './data/place.ts';
import { readSession } from './data/session.ts';
import { parseSearch, routeTree, stringifySearch } from './shell/route-tree.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/kit.css';

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The client repeats by itself what may be repeated.
      retry: false,
      staleTime: 15_000,
      gcTime: 10 * 60_000,
    },
    mutations: { retry: false },
  },
});

const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: false,
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

void readSession();
readAhead(queryClient, location.pathname, parseSearch(location.search));
router.subscribe('onBeforeNavigate', ({ toLocation: { pathname, search } }) => {
  readAhead(queryClient, pathname, search as Search);
});
createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
