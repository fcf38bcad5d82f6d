/**
 * Runs before each file of browser tests. A worker keeps its page from file to file, so what a file leaves behind is
 * taken away here: what it drew, what it put in place of the browser's own, the size of the window.
 */
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { page } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';

// The library registers this when it is loaded, which is once a worker.
beforeEach(async () => { await cleanup(); });

beforeAll(async () => { await page.viewport(1280, 900); });

afterAll(async () => {
  await cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
