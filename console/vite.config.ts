import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const services = `http://127.0.0.1:${process.env.CONSOLE_PORT ?? 7000}`;

// No inline script, no inline style, no data: font: the pages are served under a strict Content-Security-Policy.
export default defineConfig({
  root: here('.'),
  plugins: [react()],
  resolve: { alias: { 'partidas-client': here('./generated/client/index.ts') } },
  build: {
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ['chrome120', 'firefox128', 'safari17.4'],
    // The largest chunk is what every screen needs; bench/console.ts bounds it.
    chunkSizeWarningLimit: 600,
  },
  server: {
    port: 7100,
    strictPort: true,
    fs: { allow: [here('..')] },
    proxy: { '/api': services, '/entrar/': services },
  },
});
