// A part that a test did not wait for is fetched before the page is taken down, not into nothing.

import { afterAll, vi } from "vitest";

afterAll(() => vi.dynamicImportSettled());
