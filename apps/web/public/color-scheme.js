// Before the first paint: the remembered dark mode (packages/web-kit/theme/color-scheme.ts writes the same key).
(function () {
  let dark = false;
  try { dark = localStorage.getItem('darkMode') === 'true'; } catch { dark = false; }
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
