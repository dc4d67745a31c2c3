"use strict";
module.exports = require("robotrules/robots-parser");
