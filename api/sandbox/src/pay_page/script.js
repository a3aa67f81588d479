// Jangbu payment sandbox: defines AUTHNICE.requestPay like the real service's script. No money moves.
// It opens the sandbox's payment page in this window by posting a form to it.
(function () {
  "use strict";
  var origin = new URL(document.currentScript.src).origin;
  var needed = ["clientId", "method", "orderId", "amount", "goodsName", "returnUrl"];
  var known = needed.concat(["mallReserved", "vbankHolder", "vbankValidHours"]);

  function requestPay(options) {
    var missing = needed.filter(function (name) {
      return options[name] === undefined || options[name] === "";
    });
    if (missing.length > 0) {
      var message = "Jangbu payment sandbox: missing " + missing.join(", ");
      if (typeof options.fnError !== "function") throw new Error(message);
      options.fnError({ errorMsg: message });
      return;
    }
    var form = document.createElement("form");
    form.method = "post";
    form.action = origin + "/pay";
    form.acceptCharset = "utf-8";
    known.forEach(function (name) {
      if (options[name] === undefined) return;
      var field = document.createElement("input");
      field.type = "hidden";
      field.name = name;
      field.value = String(options[name]);
      form.appendChild(field);
    });
    document.body.appendChild(form);
    form.submit();
  }

  window.AUTHNICE = { requestPay: requestPay, service: "Jangbu payment sandbox" };
})();
