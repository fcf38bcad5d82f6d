// The estimate without loading the page anew; without this script the form asks the server for the page with its answer.
(function () {
  const form = document.querySelector('form[data-estimate]');
  const result = document.querySelector('[data-result]');
  if (!form || !result) return;

  function add(parent, tag, text, attributes) {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    for (const name of Object.keys(attributes || {})) element.setAttribute(name, attributes[name]);
    parent.append(element);
    return element;
  }

  // As the server writes it: 'USD 1,234.50' (packages/kernel/money/money.ts).
  function money(minor, currency) {
    const whole = String(Math.trunc(minor / 100)).replace(/\B(?=(\d{3})+$)/g, ',');
    return currency + ' ' + whole + '.' + String(minor % 100).padStart(2, '0');
  }

  function show(answer) {
    result.replaceChildren();
    if (!answer.priced) { add(result, 'p', answer.message); return; }
    const rows = add(add(result, 'table'), 'tbody');
    function row(label, minor, look) {
      const line = add(rows, 'tr', '', look);
      add(line, 'th', label, { scope: 'row' });
      add(line, 'td', money(minor, answer.currency));
    }
    answer.rows.forEach(function (one) { row(one.label, one.amount_minor); });
    row('Before tax', answer.net_minor, { class: 'sum' });
    if (!answer.promise) return;
    add(add(result, 'p'), 'strong', answer.promise.headline);
    const facts = add(result, 'dl');
    answer.promise.facts.forEach(function (fact) { add(facts, 'dt', fact.label); add(facts, 'dd', fact.text); });
  }

  function refuse(body) {
    result.replaceChildren();
    const texts = Object.values(body.errors || {}).flat();
    (texts.length > 0 ? texts : [body.message || 'The estimate cannot be reached. Try again.'])
      .forEach(function (text) { add(result, 'p', text, { class: 'error' }); });
  }

  // The question about dates loads the page anew: it takes the estimate along.
  document.querySelector('#dates form')?.addEventListener('submit', function (event) {
    if (!result.firstChild) return;
    ['seats', 'price', 'seats_2', 'price_2', 'performances'].forEach(function (name) {
      event.target.elements[name].value = form.elements[name].value;
    });
  });

  form.addEventListener('submit', function (event) {
    event.preventDefault();
    const values = new FormData(form);
    const asked = { country: values.get('country'), category: values.get('category') };
    ['seats', 'price', 'seats_2', 'price_2', 'performances'].forEach(function (name) {
      const typed = values.get(name);
      if (typed !== '' || !name.endsWith('_2')) asked[name] = Number(typed);
    });
    fetch(form.dataset.estimate, { method: 'POST', credentials: 'omit', body: JSON.stringify(asked),
      headers: { 'Content-Type': 'application/json' } })
      .then(function (answer) {
        return answer.json().then(function (body) { if (answer.ok) show(body.data); else refuse(body); });
      })
      .catch(function () { refuse({}); });
  });
})();
