/** Builds the web app into dist/web: hashed assets, each also as .br and .gz so that the server compresses nothing. */
import react from '@vitejs/plugin-react';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { browserContracts } from './tools/browser-contracts.ts';

const OUT = 'dist/web';
const COMPRESSED = /\.(m?js|css|svg|json|txt)$/;
const brotli = promisify(brotliCompress);
const gz = promisify(gzip);

/** Writes x.br and x.gz beside every text asset. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir }) {
      // The build goes into a folder of its own first (tools/build-web.ts).
      const out = dir ?? OUT;
      const names = await readdir(out, { recursive: true });
      await Promise.all(names.filter((name) => COMPRESSED.test(name)).map(async (name) => {
        const content = await readFile(join(out, name));
        if (content.length < 1024) return;
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
        await writeFile(join(out, `${name}.br`), await brotli(content, quality));
        await writeFile(join(out, `${name}.gz`), await gz(content, { level: 9 }));
      }));
    },
  };
}

/** A server file in the browser's graph is a mistake with consequences: the build stops and names it. */
function noServerCode(): Plugin {
  return {
    name: 'no-server-code',
    load(id) {
      if (/\.server\.ts$|\/packages\/server-kit\//.test(id)) throw new Error(`Server code in the web app: ${id}`);
      return null;
    },
  };
}

/** Libraries that change together are cached together; a page's own code stays in its own chunk. */
const GROUPS = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  { name: 'router', test: /node_modules\/@tanstack\/(react-router|router-core|history|react-store|store)\// },
  // without what only some pages ask for: many queries at once
  { name: 'query', test: /node_modules\/@tanstack\/(react-query|query-core)\/(?!.*(useQueries|queriesObserver))/ },
  { name: 'table', test: /node_modules\/@tanstack\/(react-table|table-core)\// },
  // one is never without the others
  { name: 'field', test: /web-kit\/controls\/(field\/(text-field|field-frame|input-shell)|tip\/tip-context)\b/ },
];

export default defineConfig({
  root: 'apps/web',
  publicDir: 'public',
  plugins: [react(), browserContracts(), noServerCode(), precompress()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    manifest: true,
    cssCodeSplit: true,
    // The list of what to fetch ahead of a page stands in the first script: style sheets only, scripts find each other.
    modulePreload: { resolveDependencies: (_file, files, { hostType }) => (hostType === 'html' ? files
      : files.filter((file) => file.endsWith('.css'))) },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // Style sheets without a name of their own: the first script lists those of every page.
    rolldownOptions: { output: { assetFileNames: 'assets/[hash][extname]', codeSplitting: { groups: GROUPS } } },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(['/api', '/sanctum', '/health'].map((path) => [path, 'http://127.0.0.1:3000'])),
  },
});
