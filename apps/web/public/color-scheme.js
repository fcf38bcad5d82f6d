// Before the first paint: the remembered dark mode (packages/web-kit/theme/color-scheme.ts writes the same key).
(function () {
  var dark = false;
  try { dark = localStorage.getItem('darkMode') === 'true'; } catch (refused) { dark = false; }
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  document.documentElement.style.backgroundColor = dark ? '#0f0c0d' : '#f6f3f4';
})();
